#include "runtime/objects/loaded_code.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "runtime/base/fingerprint.h"
#include "runtime/own_memory/no_fork.h"

using namespace std::literals;

namespace lbhm {
namespace {

std::string_view file_of(const char* path) {
  std::string_view file = path ? path : "";
  file.remove_prefix(file.rfind('/') + 1);
  return file;
}

/// The build-id among the notes of a segment; empty if there is none.
std::string_view build_id(std::string_view notes) {
  const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = sizeof note, content = name + padded(note.n_namesz);
    if (content + padded(note.n_descsz) > notes.size()) return {};
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(name, note.n_namesz) == "GNU\0"sv)
      return notes.substr(content, note.n_descsz);
    notes.remove_prefix(content + padded(note.n_descsz));
  }
  return {};
}

std::uint64_t fingerprint_of(std::string_view bytes) {
  Fingerprint print;
  print.add(bytes);
  return print.value();
}

bool begins_with_one_of(std::string_view file, std::span<const std::string_view> names) {
  return std::ranges::any_of(names, [&](std::string_view name) { return file.starts_with(name); });
}

bool is_system(std::string_view file) {
  // libhwloc and libnuma: OpenMP runtimes ask them about the computer.
  constexpr std::array<std::string_view, 11> names{"libc.so",         "libc-2.",     "ld-linux",   "libomp.so",
                                                   "libmemkind.so",   "libiomp5.so", "libgomp.so", "libpthread",
                                                   "liblbhm-heap.so", "libhwloc.so", "libnuma.so"};
  return begins_with_one_of(file, names);
}

bool is_language_runtime(std::string_view file) {
  constexpr std::array<std::string_view, 5> names{"libstdc++", "libc++", "libgfortran", "libflang", "libFortran"};
  return begins_with_one_of(file, names);
}

bool holds(const dl_phdr_info& info, std::uintptr_t address) {
  return std::ranges::any_of(std::span(info.dlpi_phdr, info.dlpi_phnum), [&](const ElfW(Phdr) & part) {
    return part.p_type == PT_LOAD && address - info.dlpi_addr - part.p_vaddr < part.p_memsz;
  });
}

struct Search {
  std::uintptr_t address;
  Module found{};
};

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<Search*>(data);
  if (!holds(*info, search.address)) return 0;
  const std::string_view file = file_of(info->dlpi_name);
  search.found = {.base = info->dlpi_addr, .identity = identity_of(*info), .file = file, .code = Code::program};
  if (is_language_runtime(file)) search.found.code = Code::language_runtime;
  if (is_system(file)) search.found.code = Code::system;
  if (is_own(info->dlpi_addr)) search.found.code = Code::own;
  return 1;
}

/// Where the loader put LB-HM's library.
std::uintptr_t own_base() {
  static const std::uintptr_t own = [] {
    std::pair<std::uintptr_t, std::uintptr_t> search{reinterpret_cast<std::uintptr_t>(&identity_of), 0};
    const auto look = [](dl_phdr_info* info, std::size_t, void* data) {
      auto& [address, base] = *static_cast<decltype(search)*>(data);
      if (!holds(*info, address)) return 0;
      base = info->dlpi_addr;
      return 1;
    };
    const NoFork whole;
    dl_iterate_phdr(look, &search);
    return search.second;
  }();
  return own;
}

}  // namespace

std::uint64_t identity_of(const dl_phdr_info& info) {
  for (const ElfW(Phdr) & part : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
    if (part.p_type != PT_NOTE) continue;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the loader tells addresses
    const auto* const notes = reinterpret_cast<const char*>(info.dlpi_addr + part.p_vaddr);
    if (const auto id = build_id({notes, part.p_memsz}); !id.empty()) return fingerprint_of(id);
  }
  return fingerprint_of(file_of(info.dlpi_name));
}

bool is_system_file(const char* path) { return is_system(file_of(path)); }

bool is_own(std::uintptr_t base) { return base == own_base(); }

Module module_of(std::uintptr_t address) {
  own_base();  // not from within the loader's list
  Search search{.address = address};
  const NoFork whole;
  dl_iterate_phdr(look_at, &search);
  return search.found;
}

std::uint64_t modules_gone() {
  std::uint64_t gone = 0;
  const auto first = [](dl_phdr_info* info, std::size_t, void* out) {
    *static_cast<std::uint64_t*>(out) = info->dlpi_subs;
    return 1;
  };
  const NoFork whole;
  dl_iterate_phdr(first, &gone);
  return gone;
}

}  // namespace lbhm
