#include "emulator/schedule/straggler.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "runtime/own_memory/inside.h"

namespace lbhm::emulator {
namespace {

/// The contents of a file; none where it cannot be read.
class MappedFile {
 public:
  explicit MappedFile(const char* path) {
    const int file = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC));
    struct stat info{};
    if (file < 0) return;
    if (fstat(file, &info) == 0 && info.st_size > 0) {
      void* const found = mmap(nullptr, static_cast<std::size_t>(info.st_size), PROT_READ, MAP_PRIVATE, file, 0);
      if (found != MAP_FAILED) bytes_ = {static_cast<const char*>(found), static_cast<std::size_t>(info.st_size)};
    }
    syscall(SYS_close, file);
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (!bytes_.empty()) munmap(const_cast<char*>(bytes_.data()), bytes_.size());
  }

  /// `count` of them from `offset` on; none if the file ends before.
  template <class Entry>
  std::span<const Entry> table(std::uint64_t offset, std::uint64_t count) const {
    if (offset > bytes_.size() || count > (bytes_.size() - offset) / sizeof(Entry)) return {};
    return {reinterpret_cast<const Entry*>(bytes_.data() + offset), count};
  }

 private:
  std::span<const char> bytes_;
};

std::string readable(const char* symbol) {
  int status = 0;
  char* const text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string name = text != nullptr ? text : symbol;
  std::free(text);
  return name;
}

/// By the table that the linker leaves for debuggers; empty without one.
std::string function_at(const char* path, std::uintptr_t offset) {
  const MappedFile file(path);
  const auto header = file.table<Elf64_Ehdr>(0, 1);
  if (header.empty() || std::memcmp(header[0].e_ident, ELFMAG, SELFMAG) != 0) return {};
  const auto sections = file.table<Elf64_Shdr>(header[0].e_shoff, header[0].e_shnum);
  for (const Elf64_Shdr& section : sections) {
    if (section.sh_type != SHT_SYMTAB || section.sh_link >= sections.size()) continue;
    const Elf64_Shdr& names = sections[section.sh_link];
    const auto text = file.table<char>(names.sh_offset, names.sh_size);
    for (const Elf64_Sym& symbol : file.table<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
      const bool here = ELF64_ST_TYPE(symbol.st_info) == STT_FUNC && offset - symbol.st_value < symbol.st_size;
      if (here && symbol.st_name < text.size() && text.back() == '\0') return readable(text.data() + symbol.st_name);
    }
  }
  return {};
}

struct Place {
  std::string function, file, offset;
};

Place place_of(const void* code) {
  Dl_info info{};
  link_map* object = nullptr;
  if (code == nullptr || dladdr1(code, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0) return {};
  // A return address points behind the call, maybe behind the function.
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(code) - 1 - object->l_addr;
  std::array<char, 2 * sizeof(offset)> digits{};
  char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), offset, 16).ptr;
  std::string function = function_at(object->l_name[0] != '\0' ? object->l_name : "/proc/self/exe", offset);
  if (function.empty() && info.dli_sname != nullptr) function = readable(info.dli_sname);
  return {.function = std::move(function), .file = info.dli_fname, .offset = "0x" + std::string(digits.data(), end)};
}

}  // namespace

std::string place_name(const void* code) {
  const Place place = place_of(code);
  if (place.file.empty()) return {};
  return (place.function.empty() ? "" : place.function + " in ") + place.file + "+" + place.offset;
}

void say_others_wait(const void* code, long long seconds) try {
  const Inside here;
  const Place place = place_of(code);
  std::string where;
  if (!place.function.empty()) where = ", last seen in " + place.function;
  if (!place.file.empty()) where += " (for the line: addr2line -ie " + place.file + " " + place.offset + ")";
  const std::string line =
      "lbhm: for " + std::to_string(seconds) + " s all other threads have been waiting for one" + where +
      ": it looks at memory in a loop that the plugin does not see, or runs long code without the plugin. It is let go "
      "soon, but times say little then: build that code with the plugin, or let it wait by OpenMP, C++ or POSIX\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, line.data(), line.size());
} catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch): it goes on without

}  // namespace lbhm::emulator
