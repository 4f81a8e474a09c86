#include "libomp-ext/start/foreign_programs.h"

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "runtime/base/printable.h"

extern "C" void* __tls_get_addr(void*);  // of the loader

namespace lbhm::start {
namespace {

constexpr std::string_view variable = "LD_PRELOAD=";
using Name = char[512];  // a loader's; longer ones are not judged

struct Identity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const Identity&) const = default;
};

Identity identity_of(const char* path) {
  struct stat found{};
  return stat(path, &found) == 0 ? Identity{found.st_dev, found.st_ino} : Identity{};
}

constinit Identity our_loader{};

/// Now, since the process may change its root later.
__attribute__((constructor)) void know_our_loader() {
  Dl_info loader{};
  if (dladdr(reinterpret_cast<void*>(&__tls_get_addr), &loader) != 0) our_loader = identity_of(loader.dli_fname);
}

long read_at(int file, std::size_t where, void* to, std::size_t bytes) {
  return syscall(SYS_pread64, file, to, bytes, where);
}

template <class Value>
bool read_value(int file, std::size_t where, Value& to) {
  return read_at(file, where, &to, sizeof to) == static_cast<long>(sizeof to);
}

template <class Header, class Segment>
bool loader_of_elf(int file, Name& loader) {
  constexpr std::size_t most = 64;  // segments
  Header header{};
  if (!read_value(file, 0, header)) return false;
  for (std::size_t i = 0; i < std::min<std::size_t>(header.e_phnum, most); ++i) {
    Segment segment{};
    if (!read_value(file, header.e_phoff + i * sizeof segment, segment)) return false;
    if (segment.p_type != PT_INTERP) continue;
    const std::size_t length = segment.p_filesz;
    if (length == 0 || length >= sizeof loader) return false;
    loader[length] = '\0';
    return read_at(file, segment.p_offset, loader, length) == static_cast<long>(length);
  }
  return false;
}

/// Of what runs in the end, which is its interpreter where the file is a script. False: there is none, as in a static
/// program, or it cannot be told.
bool find_loader(int file, Name& loader, int scripts = 0) {
  constexpr int most = 5;  // scripts run by scripts, as in the kernel
  char begin[256] = "";
  const long length = read_at(file, 0, begin, sizeof begin - 1);
  if (length < EI_NIDENT || scripts > most) return false;
  if (std::memcmp(begin, ELFMAG, SELFMAG) == 0)
    return begin[EI_CLASS] == ELFCLASS64 ? loader_of_elf<Elf64_Ehdr, Elf64_Phdr>(file, loader)
                                         : loader_of_elf<Elf32_Ehdr, Elf32_Phdr>(file, loader);
  if (begin[0] != '#' || begin[1] != '!') return false;
  char* const path = begin + 2 + std::strspn(begin + 2, " \t");
  path[std::strcspn(path, " \t\n")] = '\0';
  const int interpreter = open_program(AT_FDCWD, path);
  const bool found = find_loader(interpreter, loader, scripts + 1);
  close_program(interpreter);
  return found;
}

bool is_ours(std::string_view library) { return library.substr(library.rfind('/') + 1).starts_with("liblbhm"); }

/// Calls `act` with one library of the entry after the other.
template <class Act>
void each_library(std::string_view entry, Act act) {
  constexpr std::string_view apart = ": ";
  entry.remove_prefix(variable.size());
  while (!entry.empty()) {
    const std::size_t end = std::min(entry.find_first_of(apart), entry.size());
    if (end > 0) act(entry.substr(0, end));
    entry.remove_prefix(std::min(end + 1, entry.size()));
  }
}

/// Copies what lies at `places`, all or nothing.
bool copied(const iovec* places, std::size_t count, void* to, std::size_t bytes) {
  const iovec here{.iov_base = to, .iov_len = bytes};
  return syscall(SYS_process_vm_readv, getpid(), &here, 1L, places, count, 0L) == static_cast<long>(bytes);
}

/// Whether the list and its texts can be read; if not, the program is to hear that from the kernel (EFAULT). Where
/// nobody may ask, they can.
bool is_readable(char* const* list) {
  constexpr std::size_t page = 4096, most = 64;
  iovec texts[most];
  std::uintptr_t words[most];
  char begins[most];
  if (!readable(words)) return true;
  for (std::size_t count = 0; list; list += count) {
    const std::size_t left = page - reinterpret_cast<std::uintptr_t>(list) % page;
    count = std::clamp<std::size_t>(left / sizeof *list, 1, most);
    const iovec part{.iov_base = static_cast<void*>(const_cast<char**>(list)), .iov_len = count * sizeof *list};
    if (!copied(&part, 1, words, part.iov_len)) return false;
    std::size_t number = 0;
    for (; number < count && words[number] != 0; ++number)
      // NOLINTNEXTLINE(performance-no-int-to-ptr)
      texts[number] = {.iov_base = reinterpret_cast<void*>(words[number]), .iov_len = 1};
    if (number > 0 && !copied(texts, number, begins, number)) return false;
    if (number < count) break;
  }
  return true;
}

const char* preloads_of_ours(char* const* environment) {
  if (!is_readable(environment)) return nullptr;
  for (; environment && *environment; ++environment) {
    if (std::strncmp(*environment, variable.data(), variable.size()) != 0) continue;
    bool ours = false;
    each_library(*environment, [&](std::string_view library) { ours |= is_ours(library); });
    return ours ? *environment : nullptr;
  }
  return nullptr;
}

/// One of ours that the program's loader would not find. The loader looks in other places for a name without a slash.
bool find_unseen(const char* preloads, Name& unseen) {
  bool found = false;
  each_library(preloads, [&](std::string_view library) {
    if (found || !is_ours(library) || !library.contains('/') || library.size() >= sizeof unseen) return;
    unseen[library.copy(unseen, sizeof unseen - 1)] = '\0';
    found = access(unseen, R_OK) != 0;
  });
  return found;
}

void say_left_out(const char* format, const char* program, const char* path) {
  char sentence[1024];
  std::snprintf(sentence, sizeof sentence, format, program, path);
  print_line("lbhm: ", sentence);
}

}  // namespace

const char* preloads_in_vain(int file, const char* name, char* const* environment) {
  const char* const preloads = preloads_of_ours(environment);
  if (!preloads) return nullptr;
  Name path;
  const bool loaded = file >= 0 && find_loader(file, path);
  const Identity loader = loaded ? identity_of(path) : Identity{};
  if (loader != Identity{} && our_loader != Identity{} && loader != our_loader) {
    say_left_out(
        "%s runs without LB-HM: its loader %s is of another root, libc or word size; use an LB-HM that was "
        "built there",
        name, path);
    return preloads;
  }
  if (!find_unseen(preloads, path)) return nullptr;
  if (loaded)
    say_left_out(
        "%s runs without LB-HM: %s is not to be seen from its root or folder; use a name that holds there, too", name,
        path);
  return preloads;
}

bool readable(const void* address) {
  char byte = 0;
  const iovec place{.iov_base = const_cast<void*>(address), .iov_len = 1};
  return copied(&place, 1, &byte, 1);
}

void copy_without_ours(char* const* environment, const char* preloads, char** list, char* text) {
  char* end = std::copy(variable.begin(), variable.end(), text);
  each_library(preloads, [&](std::string_view library) {
    if (is_ours(library)) return;
    if (end != text + variable.size()) *end++ = ':';
    end = std::copy(library.begin(), library.end(), end);
  });
  *end = '\0';
  for (; *environment; ++environment) {
    if (*environment != preloads)
      *list++ = *environment;
    else if (end != text + variable.size())
      *list++ = text;
  }
  *list = nullptr;
}

int open_program(int folder, const char* path) {
  return static_cast<int>(syscall(SYS_openat, folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK));
}

int open_in_path(const char* file) {
  const std::string_view wanted = file;
  if (wanted.contains('/')) return open_program(AT_FDCWD, file);
  const char* path = std::getenv("PATH");
  std::string_view folders = path ? path : "/bin:/usr/bin";
  auto* const name = static_cast<char*>(__builtin_alloca(folders.size() + wanted.size() + 2));
  for (bool more = true; more;) {
    const std::size_t length = std::min(folders.find(':'), folders.size());
    char* end = name + folders.copy(name, length);
    if (length > 0) *end++ = '/';
    end[wanted.copy(end, wanted.size())] = '\0';
    if (access(name, X_OK) == 0) return open_program(AT_FDCWD, name);
    more = length < folders.size();
    folders.remove_prefix(more ? length + 1 : length);
  }
  return -1;
}

void close_program(int file) {
  if (file >= 0) syscall(SYS_close, file);
}

}  // namespace lbhm::start

/// libstdc++, which is linked in, would need that of glibc 2.36, for nothing but its std::random_device.
extern "C" unsigned arc4random() noexcept {
  unsigned value = 0;
  syscall(SYS_getrandom, &value, sizeof value, 0);
  return value;
}
