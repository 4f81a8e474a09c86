// Memory of managed objects.
#include "runtime/engine/guarded.h"
#include "runtime/engine/state.h"
#include "runtime/engine/surroundings.h"

namespace lbhm::engine {
namespace {

Bytes whole_pages(Bytes bytes, Bytes page) { return Bytes((bytes.value + page.value - 1) / page.value * page.value); }

/// no_tier: none, or none of this machine.
TierId tier_of(const Engine& e, int hint) {
  const std::size_t tiers = e.machine->topology().tiers.size();
  if (hint == MemoryTraits::slowest) hint = static_cast<int>(tiers) - 1;
  return hint < 0 || static_cast<std::size_t>(hint) >= tiers ? no_tier : TierId(static_cast<std::uint8_t>(hint));
}

/// The tier that the user asked for comes first, then what the policy would do.
void follow_hint(Engine& e, std::uintptr_t address, Bytes bytes, int hint) {
  const TierId first = tier_of(e, hint);
  if (first == no_tier) return;
  std::vector<TierId> order{first};
  for (const TierId tier : e.needs.first_touch)
    if (tier != first) order.push_back(tier);
  if (Status status = e.machine->prefer(address, bytes, order); !status.ok()) say(status.message());
}

/// Throws std::bad_alloc.
void* make_object(Engine& e, Bytes bytes, Bytes alignment, const MemoryTraits& traits) {
  const Bytes mapped = whole_pages(bytes, e.machine->topology().page);
  if (mapped < bytes) return nullptr;
  if (traits.exact && e.machine->room(tier_of(e, traits.tier_hint)) < mapped) return nullptr;
  auto memory = e.machine->reserve(mapped, alignment);
  if (!memory) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(*memory);
  if (!e.registry.add(address, bytes, traits.name ? traits.name : "", traits.migratable, traits.pattern)) {
    e.machine->release(*memory, mapped);
    return nullptr;
  }
  place_new(e, address, mapped, traits.name);
  follow_hint(e, address, mapped, traits.tier_hint);
  return *memory;
}

}  // namespace

void* allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits) {
  start();
  Engine* e = engine();
  if (!e || !e->placing || bytes.value == 0 || bytes < e->settings.managed_minimum) return nullptr;
  void* object = nullptr;
  // Without memory for our lists what was mapped is lost; the program goes on.
  guarded([&] { object = make_object(*e, bytes, alignment, traits); });
  return object;
}

void* allocate_block(Bytes bytes, int hint) {
  start();
  Engine* e = engine();
  if (!e || !e->placing) return nullptr;
  const TierId tier = tier_of(*e, hint);
  void* block = nullptr;
  if (tier != no_tier) guarded([&] { block = e->machine->allocate_block(bytes, tier); });
  return block;
}

void release_block(void* block, Bytes bytes) {
  if (Engine* e = engine()) guarded([&] { e->machine->release_block(block, bytes); });
}

bool release_object(void* address) {
  Engine* e = engine();
  if (!e) return false;
  bool known = false;
  guarded([&] {
    const auto object = e->registry.remove(reinterpret_cast<std::uintptr_t>(address));
    known = object.has_value();
    if (known) e->machine->release(address, whole_pages(object->bytes, e->machine->topology().page));
  });
  return known;
}

Bytes object_bytes(const void* address) {
  Engine* e = engine();
  if (!e) return Bytes(0);
  const Inside here;
  const auto object = e->registry.find(reinterpret_cast<std::uintptr_t>(address));
  return object && object->address == reinterpret_cast<std::uintptr_t>(address) ? object->bytes : Bytes(0);
}

}  // namespace lbhm::engine
