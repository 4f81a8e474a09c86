#include "runtime/loop/managed_memory.h"

#include <cstring>
#include <string_view>
#include <utility>

namespace lbhm {
namespace {

Bytes whole_pages(Bytes bytes, Bytes page) { return Bytes((bytes.value + page.value - 1) / page.value * page.value); }

}  // namespace

/// no_tier: none, or none of this machine.
TierId ManagedMemory::tier_of(int hint) const {
  const std::size_t tiers = machine_.topology().tiers.size();
  if (hint == MemoryTraits::slowest) hint = static_cast<int>(tiers) - 1;
  return hint < 0 || static_cast<std::size_t>(hint) >= tiers ? no_tier : TierId(static_cast<std::uint8_t>(hint));
}

void ManagedMemory::ask_policy(const Object& object, Bytes mapped) {
  const std::lock_guard lock(births_);
  actor_.set_preferred_tier(policy_.on_object(
      {.number = born_++, .site = object.site, .nth = object.nth, .object = {object.address, mapped, object.name}}));
}

void* ManagedMemory::allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits) {
  if (!options_.placing || bytes.value == 0 || bytes < options_.minimum) return nullptr;
  const std::string_view name = traits.name ? traits.name : "";
  return make_object(bytes, alignment, traits,
                     {.name = std::string(name), .site = name.empty() ? site_of_caller() : site_of_name(name)});
}

void* ManagedMemory::make_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits, Origin origin) {
  const Bytes mapped = whole_pages(bytes, machine_.topology().page);
  if (mapped < bytes) return nullptr;
  const TierId hinted = tier_of(traits.tier_hint);
  if (traits.exact && machine_.room(hinted) < mapped) return nullptr;
  auto memory = machine_.reserve(mapped, alignment);
  if (!memory) return nullptr;
  const auto added = objects_.add({.id = {},
                                   .address = reinterpret_cast<std::uintptr_t>(*memory),
                                   .bytes = bytes,
                                   .name = std::move(origin.name),
                                   .migratable = traits.migratable,
                                   .pattern = traits.pattern,
                                   .site = origin.site});
  if (!added) {
    machine_.release(*memory, mapped);
    return nullptr;
  }
  if (PageCounts* const counts = machine_.page_counts())
    counts->name_object(added->address, added->site.value, added->nth);
  if (options_.uses) options_.uses->born(*added);
  ask_policy(*added, mapped);
  // The tier that the user asked for comes first, then what the policy would do.
  if (hinted != no_tier) actor_.set_preferred_tier(added->address, mapped, hinted);
  return *memory;
}

bool ManagedMemory::release_object(void* address) {
  const auto object = objects_.remove(reinterpret_cast<std::uintptr_t>(address));
  if (object && options_.uses) options_.uses->died(object->address);
  if (object) machine_.release(address, whole_pages(object->bytes, machine_.topology().page));
  return object.has_value();
}

void* ManagedMemory::allocate_heap_object(Bytes bytes, Bytes alignment, bool zeroed) {
  if (!options_.placing || bytes.value == 0) return nullptr;
  Origin origin;
  origin.site = site_of_caller(&origin.name);
  if (options_.keeps && alignment <= machine_.topology().page) {
    if (void* const kept = reinterpret_cast<void*>(kept_.take(origin.site, bytes))) {
      if (zeroed) std::memset(kept, 0, bytes.value);
      return kept;
    }
  }
  void* const fresh = make_object(bytes, alignment, {.managed = true}, std::move(origin));
  if (!fresh) return nullptr;
  if (!options_.keeps) return fresh;
  for (const std::uintptr_t address : kept_.born(bytes)) release_object(reinterpret_cast<void*>(address));
  return fresh;
}

bool ManagedMemory::release_heap_object(void* address, bool keeps) {
  const auto object = objects_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!object) return false;
  if (options_.keeps && keeps && kept_.keep(*object)) return true;
  if (options_.keeps && !keeps) kept_.gone(object->bytes);
  return release_object(address);
}

Bytes ManagedMemory::object_bytes(const void* address) const {
  const auto object = objects_.find(reinterpret_cast<std::uintptr_t>(address));
  return object && object->address == reinterpret_cast<std::uintptr_t>(address) ? object->bytes : Bytes(0);
}

void* ManagedMemory::allocate_block(Bytes bytes, int hint) {
  const TierId tier = tier_of(hint);
  return options_.placing && tier != no_tier ? machine_.allocate_block(bytes, tier) : nullptr;
}

}  // namespace lbhm
