// The runtime calls ompt_start_tool through a slot that the loader fills in with the first definition of all. That of
// the program comes before any library's, so we fill in the slot ourselves.
#include "libomp-ext/ompt/first_tool.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <span>

#include "libomp-ext/real/loaded_object.h"
#include "libomp-ext/real/real_function.h"

namespace lbhm::openmp {
namespace {

constexpr const char* name = "ompt_start_tool";

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
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory < 0) return false;
  const bool written = pwrite(memory, &value, sizeof value, static_cast<off_t>(slot)) == sizeof value;
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
