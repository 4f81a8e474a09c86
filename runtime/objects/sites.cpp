// Where objects come from.
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstring>
#include <new>
#include <span>
#include <utility>

#include "runtime/objects/known_sites.h"
#include "runtime/objects/loaded_code.h"
#include "runtime/objects/objects.h"

namespace lbhm {
namespace {

constexpr std::uint64_t fnv_basis = 0xcbf29ce484222325ULL, fnv_prime = 0x100000001b3ULL;

std::uint64_t hash(std::span<const unsigned char> bytes, std::uint64_t seed = fnv_basis) {
  for (const unsigned char byte : bytes) seed = (seed ^ byte) * fnv_prime;
  return seed;
}

std::uint64_t hash(std::string_view text, std::uint64_t seed = fnv_basis) {
  return hash(std::span(reinterpret_cast<const unsigned char*>(text.data()), text.size()), seed);
}

std::uint64_t hash(std::uint64_t number, std::uint64_t seed) {
  std::array<unsigned char, sizeof number> bytes;
  std::memcpy(bytes.data(), &number, sizeof number);
  return hash(bytes, seed);
}

/// 0 is "unknown".
SiteId site(std::uint64_t hash) { return {hash ? hash : 1}; }

std::string_view file_of(const char* path) {
  std::string_view file = path ? path : "";
  file.remove_prefix(file.rfind('/') + 1);
  return file;
}

/// The build-id among the notes of a segment; empty if there is none.
std::span<const unsigned char> build_id(std::span<const unsigned char> notes) {
  const auto padded = [](std::size_t length) { return (length + 3) / 4 * 4; };
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    const std::size_t name = sizeof note, content = name + padded(note.n_namesz);
    if (content + padded(note.n_descsz) > notes.size()) return {};
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(notes.data() + name, "GNU", 4) == 0)
      return notes.subspan(content, note.n_descsz);
    notes = notes.subspan(content + padded(note.n_descsz));
  }
  return {};
}

/// What tells the module that holds `address` apart from others; without a build-id its file's name.
struct Module {
  std::uintptr_t address = 0;  // searched for
  std::uintptr_t base = 0;
  std::uintptr_t end = 0;  // of its segments
  std::uint64_t identity = 0;
  bool system = false;      // libc, the loader, an OpenMP runtime: behind it nothing of the program is of interest
  std::string_view file{};  // lives as long as the module; empty: the program
};

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

/// They call malloc for somebody else.
bool is_language_runtime(std::string_view file) {
  constexpr std::array<std::string_view, 5> names{"libstdc++", "libc++", "libgfortran", "libflang", "libFortran"};
  return begins_with_one_of(file, names);
}

int look_at(dl_phdr_info* info, std::size_t, void* data) {
  auto& wanted = *static_cast<Module*>(data);
  const std::span parts(info->dlpi_phdr, info->dlpi_phnum);
  const auto first_of = [&](const ElfW(Phdr) & part) { return info->dlpi_addr + part.p_vaddr; };
  std::uintptr_t end = 0;
  bool holds = false;
  for (const ElfW(Phdr) & part : parts) {
    if (part.p_type != PT_LOAD) continue;
    end = first_of(part) + part.p_memsz;
    holds = holds || (wanted.address >= first_of(part) && wanted.address < end);
  }
  if (!holds) return 0;
  const std::string_view file = file_of(info->dlpi_name);
  wanted.base = info->dlpi_addr;
  wanted.end = end;
  wanted.identity = identity_of(*info);
  wanted.system = is_system(file);
  wanted.file = file;
  return 1;
}

Module module_of(std::uintptr_t address) {
  Module module{.address = address};
  dl_iterate_phdr(look_at, &module);
  return module;
}

/// An offset in a file.
struct Place {
  std::string_view file{};  // empty: the program
  std::uintptr_t offset = 0;

  std::string text() const {
    std::array<char, 24> number{};
    std::snprintf(number.data(), number.size(), "+0x%zx", offset);
    return std::string(file.empty() ? program_invocation_short_name : file).append(number.data());
  }
};

/// One frame more of the walk.
struct Walk {
  std::uint64_t hash = fnv_basis;
  unsigned frames = 0;
  Module module;  // of the frame before: most are in one
  std::uintptr_t own_base = 0;
  std::array<Place, deepest_site> calls{};
  unsigned named = deepest_site;  // the first of them that a person would look for
  CallsOnStack* on_stack = nullptr;
};

/// Calls on x86-64 leave the return address below what the caller's stack pointer is then.
void note(CallsOnStack& calls, _Unwind_Context* context, std::uintptr_t address) {
  const auto at = static_cast<std::uintptr_t>(_Unwind_GetCFA(context)) - sizeof(void*);
  std::uintptr_t there = 0;
  std::memcpy(&there, reinterpret_cast<const void*>(at), sizeof there);
  calls.readable = calls.readable && there == address;
  calls.calls[static_cast<std::size_t>(calls.count++)] = {.at = at, .address = address};
}

_Unwind_Reason_Code step(_Unwind_Context* context, void* data) {
  auto& walk = *static_cast<Walk*>(data);
  const auto address = static_cast<std::uintptr_t>(_Unwind_GetIP(context));
  if (address == 0) return _URC_END_OF_STACK;
  if (address < walk.module.base || address >= walk.module.end || walk.module.end == 0)
    walk.module = module_of(address);
  if (walk.module.base == walk.own_base) return walk.frames == 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
  if (walk.module.system || walk.module.end == 0) return walk.frames == 0 ? _URC_NO_REASON : _URC_END_OF_STACK;
  if (walk.named == deepest_site && !is_language_runtime(walk.module.file)) walk.named = walk.frames;
  if (walk.on_stack) note(*walk.on_stack, context, address);
  walk.calls[walk.frames] = {.file = walk.module.file, .offset = address - walk.module.base};
  walk.hash = hash(address - walk.module.base, hash(walk.module.identity, walk.hash));
  return ++walk.frames == deepest_site ? _URC_END_OF_STACK : _URC_NO_REASON;
}

std::uintptr_t own_base() {
  static const std::uintptr_t own = module_of(reinterpret_cast<std::uintptr_t>(&own_base)).base;
  return own;
}

/// The site, remembered in words when it is met for the first time. Without memory for these it is as good a site.
SiteId known(SiteId id, const auto& words) {
  if (!is_news(id)) return id;
  try {
    KnownSite site = words();
    site.id = id;
    remember(std::move(site));
  } catch (const std::bad_alloc&) { return id; }
  return id;
}

}  // namespace

std::uint64_t identity_of(const dl_phdr_info& info) {
  for (const ElfW(Phdr) & part : std::span(info.dlpi_phdr, info.dlpi_phnum)) {
    if (part.p_type != PT_NOTE) continue;
    const auto* const notes = reinterpret_cast<const unsigned char*>(info.dlpi_addr + part.p_vaddr);
    if (const auto id = build_id(std::span(notes, part.p_memsz)); !id.empty()) return hash(id);
  }
  return hash(file_of(info.dlpi_name));
}

bool is_system_file(const char* path) { return is_system(file_of(path)); }

bool is_own(const dl_phdr_info& info) { return info.dlpi_addr == own_base(); }

SiteId site_of_name(std::string_view name) {
  return known(site(hash(name, hash("name "))), [&] { return KnownSite{.id = {}, .name = std::string(name)}; });
}

SiteId site_of_caller(std::string* place, CallsOnStack* calls) {
  Walk walk;
  walk.on_stack = calls;
  walk.own_base = own_base();
  _Unwind_Backtrace(step, &walk);
  const auto name = [&] { return walk.named == deepest_site ? std::string() : walk.calls[walk.named].text(); };
  if (place && walk.named != deepest_site) *place = name();
  if (walk.frames == 0) return {};
  return known(site(walk.hash), [&] {
    KnownSite found{.id = {}, .name = name()};
    for (const Place& call : std::span(walk.calls).first(walk.frames)) found.calls.push_back(call.text());
    return found;
  });
}

bool is_system_code(const void* code) {
  dl_find_object found{};
  if (_dl_find_object(const_cast<void*>(code), &found) != 0) return false;
  return found.dlfo_link_map->l_addr == own_base() || is_system(file_of(found.dlfo_link_map->l_name));
}

SiteId site_of_variable(const void* address) {
  const Module module = module_of(reinterpret_cast<std::uintptr_t>(address));
  if (module.end == 0) return {};
  const Place place{.file = module.file, .offset = module.address - module.base};
  return known(site(hash(place.offset, hash(module.identity, hash("variable ")))),
               [&] { return KnownSite{.id = {}, .name = place.text(), .variable = true}; });
}

}  // namespace lbhm
