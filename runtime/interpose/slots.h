// The slots of a loaded object through which its code calls functions of others, and reads their addresses; and what it
// defines itself.
#pragma once

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <span>
#include <utility>

namespace lbhm::real {

#if defined(__x86_64__)
inline bool is_slot(unsigned long type) {
  return type == R_X86_64_JUMP_SLOT || type == R_X86_64_GLOB_DAT || type == R_X86_64_64;
}
#elif defined(__aarch64__)
inline bool is_slot(unsigned long type) {
  return type == R_AARCH64_JUMP_SLOT || type == R_AARCH64_GLOB_DAT || type == R_AARCH64_ABS64;
}
#else
inline bool is_slot(unsigned long) { return false; }
#endif

/// An entry of an object's dynamic section; 0 if it has none. glibc has made addresses of those that are.
inline ElfW(Addr) entry(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag) {
  for (; dynamic->d_tag != DT_NULL; ++dynamic)
    if (dynamic->d_tag == tag) return dynamic->d_un.d_ptr;
  return 0;
}

template <class T>
const T* table(const ElfW(Dyn) * dynamic, ElfW(Sxword) tag) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr)
  return reinterpret_cast<const T*>(entry(dynamic, tag));
}

/// Null: it has none.
inline const ElfW(Dyn) * dynamic_of(const dl_phdr_info& object) {
  for (const ElfW(Phdr) & part : std::span(object.dlpi_phdr, object.dlpi_phnum))
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    if (part.p_type == PT_DYNAMIC) return reinterpret_cast<const ElfW(Dyn)*>(object.dlpi_addr + part.p_vaddr);
  return nullptr;
}

/// Calls `visit(name, address of the slot)` for each slot of the object at `base`.
template <class Visit>
void for_each_slot(ElfW(Addr) base, const ElfW(Dyn) * dynamic, const Visit& visit) {
  const auto* const symbols = table<ElfW(Sym)>(dynamic, DT_SYMTAB);
  const auto* const strings = table<char>(dynamic, DT_STRTAB);
  for (const auto& [list, bytes] : {std::pair(DT_JMPREL, DT_PLTRELSZ), std::pair(DT_RELA, DT_RELASZ)}) {
    const std::span relocations(table<ElfW(Rela)>(dynamic, list), entry(dynamic, bytes) / sizeof(ElfW(Rela)));
    for (const ElfW(Rela) & relocation : relocations) {
      if (!is_slot(ELF64_R_TYPE(relocation.r_info)) || relocation.r_addend != 0) continue;
      visit(strings + symbols[ELF64_R_SYM(relocation.r_info)].st_name, base + relocation.r_offset);
    }
  }
}

/// As strcmp, which a sanitizer's program has in front of libc's, and cannot call before it has begun.
inline bool same_name(const char* name, const char* other) {
  while (*name && *name == *other) ++name, ++other;
  return *name == *other;
}

/// The function of that name that the object itself defines, whatever stands in front of it; null: none. By the hash
/// table that every object has (DT_GNU_HASH).
inline void* function_in(ElfW(Addr) base, const ElfW(Dyn) * dynamic, const char* name) {
  std::uint32_t hash = 5381;
  for (const char* letter = name; *letter; ++letter) hash = hash * 33 + static_cast<unsigned char>(*letter);
  const auto* const head = table<std::uint32_t>(dynamic, DT_GNU_HASH);
  if (reinterpret_cast<ElfW(Addr)>(head) <= base) return nullptr;  // none, or of the kernel's own object
  const std::uint32_t count = head[0], first = head[1], words_of_filter = head[2];
  const std::uint32_t* const buckets = head + 4 + words_of_filter * sizeof(ElfW(Addr)) / sizeof(std::uint32_t);
  const auto* const symbols = table<ElfW(Sym)>(dynamic, DT_SYMTAB);
  const auto* const strings = table<char>(dynamic, DT_STRTAB);
  for (std::uint32_t at = buckets[hash % count]; at >= first; ++at) {
    const std::uint32_t known = buckets[count + at - first];
    if ((known | 1) == (hash | 1) && same_name(strings + symbols[at].st_name, name))
      return reinterpret_cast<void*>(base + symbols[at].st_value);  // NOLINT(performance-no-int-to-ptr)
    if (known & 1) break;
  }
  return nullptr;
}

/// Through the kernel: the page may be read-only by now (RELRO).
inline bool write_slot(ElfW(Addr) slot, const void* value) {
  const auto address = reinterpret_cast<std::uintptr_t>(value);
  const int memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC);
  if (memory < 0) return false;
  const bool written = pwrite(memory, &address, sizeof address, static_cast<off_t>(slot)) == sizeof address;
  close(memory);
  return written;
}

}  // namespace lbhm::real
