#include "runtime/engine/scope.h"

#include <unwind.h>

#include "runtime/engine/region_log.h"

namespace lbhm::engine {
namespace {

/// The function that `site` lies in, and the objects by name, or by address if they have none.
std::string describe(const void* site, const std::vector<SlotRange>& objects,
                     const std::vector<ObjectRecord>& records) {
  // It takes return addresses: one less is looked up.
  void* return_address = const_cast<char*>(static_cast<const char*>(site) + 1);
  const auto function = reinterpret_cast<std::uintptr_t>(_Unwind_FindEnclosingFunction(return_address));
  std::string text = std::to_string(function);
  for (std::size_t slot = 0; slot < objects.size(); ++slot)
    text += '\n' + (records[slot].name.empty() ? std::to_string(objects[slot].address) : records[slot].name);
  return text;
}

}  // namespace

Scope& ScopeTable::at(const void* site, const std::vector<SlotRange>& objects,
                      const std::vector<ObjectRecord>& records) {
  Scope*& known = by_site_[site];
  if (known) return *known;
  Scope*& same_list = by_list_[describe(site, objects, records)];
  if (!same_list) {
    same_list = scopes_.emplace_back(std::make_unique<Scope>()).get();
    same_list->name = code_name(site);
  }
  known = same_list;
  return *known;
}

}  // namespace lbhm::engine
