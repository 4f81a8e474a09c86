#include "libomp-ext/ompt/other_tool.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <strings.h>
#include <unistd.h>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>

#include "libomp-ext/real/loaded_object.h"
#include "libomp-ext/real/real_function.h"

// Null without ThreadSanitizer. Not by dlsym, which leaves a sentence with our path on the program's heap where it
// finds nothing.
extern "C" __attribute__((weak)) void __tsan_init();  // NOLINT(bugprone-reserved-identifier)

namespace lbhm::openmp {
namespace {

constexpr const char* name = "ompt_start_tool";

/// OMP_TOOL_VERBOSE_INIT=stdout or stderr, as libomp, which ends its log when it has found us. A log in a file is
/// libomp's alone.
std::FILE* search_log() {
  const char* const setting = std::getenv("OMP_TOOL_VERBOSE_INIT");
  if (!setting) return nullptr;
  if (strcasecmp(setting, "stderr") == 0) return stderr;
  return strcasecmp(setting, "stdout") == 0 ? stdout : nullptr;
}

void note(const char* library, const char* outcome) {
  if (std::FILE* const log = search_log()) std::fprintf(log, "LB-HM: tool library %s: %s\n", library, outcome);
}

ompt_start_tool_result_t* start_library(const char* path, StartTool* ours, unsigned version, const char* runtime) {
  void* const library = dlopen(path, RTLD_LAZY);
  if (!library) {
    const char* const reason = dlerror();
    note(path, reason ? reason : "it cannot be loaded");
    return nullptr;
  }
  const auto start = reinterpret_cast<StartTool*>(dlsym(library, name));
  ompt_start_tool_result_t* const tool = start && start != ours ? start(version, runtime) : nullptr;
  note(path, tool ? "started beside LB-HM" : start ? "it does not want to run" : "it has no ompt_start_tool");
  if (!tool) dlclose(library);
  return tool;
}

#if defined(__x86_64__)
bool is_slot(unsigned long type) { return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT; }
#elif defined(__aarch64__)
bool is_slot(unsigned long type) { return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT; }
#else
bool is_slot(unsigned long) { return false; }
#endif

/// An entry of an object's dynamic section; 0 if it has none. glibc has made addresses of those that are.
ElfW(Addr) entry(const link_map& object, ElfW(Sxword) tag) {
  for (const ElfW(Dyn)* dynamic = object.l_ld; dynamic->d_tag != DT_NULL; ++dynamic) {
    if (dynamic->d_tag == tag) return dynamic->d_un.d_ptr;
  }
  return 0;
}

template <class T>
const T* table(const link_map& object, ElfW(Sxword) tag) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const T*>(entry(object, tag));
}

std::span<const ElfW(Rela)> relocations(const link_map& object, ElfW(Sxword) tag, ElfW(Sxword) bytes) {
  return {table<ElfW(Rela)>(object, tag), entry(object, bytes) / sizeof(ElfW(Rela))};
}

/// Through the kernel: the page may be read-only by now (RELRO).
bool write_slot(ElfW(Addr) slot, StartTool* value) {
  const auto address = reinterpret_cast<std::uintptr_t>(value);
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory < 0) return false;
  const bool written = pwrite(memory, &address, sizeof address, static_cast<off_t>(slot)) == sizeof address;
  close(memory);
  return written;
}

bool fill_slots(const link_map& object, StartTool* value) {
  const auto* const symbols = table<ElfW(Sym)>(object, DT_SYMTAB);
  const auto* const strings = table<char>(object, DT_STRTAB);
  bool filled = false;
  for (const auto& list : {relocations(object, DT_JMPREL, DT_PLTRELSZ), relocations(object, DT_RELA, DT_RELASZ)}) {
    for (const ElfW(Rela) & relocation : list) {
      if (!is_slot(ELF64_R_TYPE(relocation.r_info))) continue;
      if (std::strcmp(strings + symbols[ELF64_R_SYM(relocation.r_info)].st_name, name) != 0) continue;
      filled |= write_slot(object.l_addr + relocation.r_offset, value);
    }
  }
  return filled;
}

}  // namespace

ompt_start_tool_result_t* start_linked_tool(StartTool* ours, unsigned version, const char* runtime) {
  auto start = reinterpret_cast<StartTool*>(dlsym(RTLD_DEFAULT, name));
  // Behind ours there is at least libomp's own, which looks further behind itself.
  if (!start || start == ours) start = reinterpret_cast<StartTool*>(dlsym(RTLD_NEXT, name));
  return start && start != ours ? start(version, runtime) : nullptr;
}

ompt_start_tool_result_t* start_named_tool(StartTool* ours, unsigned version, const char* runtime) {
  const char* rest = std::getenv("OMP_TOOL_LIBRARIES");
  while (rest && *rest) {
    const std::size_t length = std::strcspn(rest, ":");
    std::array<char, 4096> path{};
    if (length > 0 && length < path.size()) {
      std::memcpy(path.data(), rest, length);
      if (auto* const tool = start_library(path.data(), ours, version, runtime)) return tool;
    }
    rest += length + (rest[length] == ':');
  }
  return __tsan_init != nullptr ? start_library("libarcher.so", ours, version, runtime) : nullptr;
}

// The runtime calls ompt_start_tool through a slot that the loader fills in with the first definition of all. That of
// the program comes before any library's, so we fill in the slot ourselves.

bool come_first(StartTool* ours) {
  void* const first = dlsym(RTLD_DEFAULT, name);
  if (!first || first == reinterpret_cast<void*>(ours)) return true;
  static constinit real::RuntimeFunction fork("__kmpc_fork_call");
  const link_map* const runtime = real::object_of(fork.find(nullptr));
  // A runtime that comes first itself looks behind itself for tools, and finds us.
  if (!runtime || runtime == real::object_of(first)) return true;
  return fill_slots(*runtime, ours);
}

}  // namespace lbhm::openmp
