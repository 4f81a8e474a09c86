#include "runtime/phases/region_index.h"

#include <dlfcn.h>
#include <link.h>

#include <cstdio>
#include <string_view>

namespace lbhm {

std::string code_name(const void* code) {
  Dl_info info{};
  void* loaded = nullptr;
  if (!code || !dladdr1(code, &info, &loaded, RTLD_DL_LINKMAP) || !info.dli_fname) return "unknown";
  std::string_view file = info.dli_fname;
  file.remove_prefix(file.rfind('/') + 1);
  // What symbols are told by: of a program that is always loaded at one address (-no-pie) that is the address itself.
  const auto offset = reinterpret_cast<std::uintptr_t>(code) - static_cast<const link_map*>(loaded)->l_addr;
  char hex[24];
  std::snprintf(hex, sizeof hex, "+0x%zx", offset);
  return std::string(file) + hex;
}

std::uint32_t RegionIndex::look_up(const void* code) {
  const auto known = index_.find(code);
  if (known == index_.end()) add(code);
  const auto entry = known == index_.end() ? index_.find(code) : known;
  last_code_ = code;
  last_region_ = entry->second;
  return last_region_;
}

/// All of it or, where there is no memory, nothing.
void RegionIndex::add(const void* code) {
  std::string name = code_name(code);
  names_.reserve(names_.size() + 1);
  instances_.reserve(names_.size() + 1);
  index_.emplace(code, static_cast<std::uint32_t>(names_.size()));
  names_.push_back(std::move(name));
  instances_.push_back(0);
}

}  // namespace lbhm
