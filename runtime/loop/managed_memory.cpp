#include "runtime/loop/managed_memory.h"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

namespace lbhm {

Bytes ManagedMemory::whole_pages(Bytes bytes) const {
  const std::uint64_t page = machine_.topology().page.value;
  return Bytes((bytes.value + page - 1) / page * page);
}

/// no_tier: none, or none of this machine.
TierId ManagedMemory::tier_of(int hint) const {
  const std::size_t tiers = machine_.topology().tiers.size();
  if (hint == MemoryTraits::highest_bandwidth) return highest_bandwidth(machine_.topology());
  if (hint == MemoryTraits::lowest_latency) return lowest_latency(machine_.topology());
  if (hint == MemoryTraits::slowest) hint = static_cast<int>(tiers) - 1;
  return hint < 0 || static_cast<std::size_t>(hint) >= tiers ? no_tier : TierId(static_cast<std::uint8_t>(hint));
}

/// False: it does not say where the object is to appear.
bool ManagedMemory::ask_policy(const Object& object, Bytes mapped) {
  const MigrationPlan plan = policy_.on_object(
      {.number = born_++, .site = object.site, .nth = object.nth, .object = {object.address, mapped, object.name}});
  actor_.set_preferred_tier(plan);
  return !plan.moves.empty();
}

/// What the user prescribes comes first, then what the policy would do, then what the strategy makes of descriptions.
void ManagedMemory::place_new(const Object& object, Bytes mapped) {
  const std::lock_guard lock(births_);
  const bool decided = ask_policy(object, mapped);
  const TierId advised = strategy_.begin(object, mapped, options_.begin, machine_);
  if (object.begins_in != no_tier)
    actor_.set_preferred_tier(object.address, mapped, object.begins_in);
  else if (!decided && advised != no_tier)
    actor_.set_preferred_tier(object.address, mapped, advised);
}

void* ManagedMemory::allocate_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits) {
  if (!options_.placing || bytes.value == 0 || bytes < options_.minimum) return nullptr;
  const std::string_view name = traits.name ? traits.name : "";
  return make_object(bytes, alignment, traits,
                     {.name = std::string(name), .site = name.empty() ? site_of_caller() : site_of_name(name)});
}

void* ManagedMemory::make_object(Bytes bytes, Bytes alignment, const MemoryTraits& traits, Origin origin) {
  const Bytes mapped = whole_pages(bytes);
  if (mapped < bytes) return nullptr;
  const TierId hinted = tier_of(traits.tier_hint);
  if (traits.exact && machine_.room(hinted) < mapped) return nullptr;
  const Bytes front = traits.header && options_.headers ? std::max(alignment, machine_.topology().page) : Bytes(0);
  auto memory = machine_.reserve_behind(front, mapped, alignment, origin.lane);
  if (!memory) return nullptr;
  end_unmapped(reinterpret_cast<std::uintptr_t>(*memory), mapped);
  const auto added = objects_.add({.id = {},
                                   .address = reinterpret_cast<std::uintptr_t>(*memory),
                                   .bytes = bytes,
                                   .name = origin.place.known() ? origin.place.text() : std::move(origin.name),
                                   .migratable = traits.migratable,
                                   .pattern = traits.pattern,
                                   .begins_in = hinted,
                                   .sensitivity = traits.sensitivity,
                                   .group = traits.group,
                                   .site = origin.site,
                                   .racing_lane = origin.lane ? origin.lane->value + 1 : 0,
                                   .front = front});
  if (!added) {
    machine_.release(static_cast<char*>(*memory) - front.value, front + mapped);
    return nullptr;
  }
  name_pages(*added);
  if (options_.uses) options_.uses->born(*added);
  place_new(*added, mapped);
  machine_.wake();
  return *memory;
}

/// The system gives out these addresses, so what the registry knows of there is no more: who asked glibc to free a
/// block of malloc, past our functions, unmapped it without a word to us.
void ManagedMemory::end_unmapped(std::uintptr_t address, Bytes mapped) {
  while (const auto gone = objects_.find_any(address, mapped)) {
    objects_.remove(gone->address);
    if (options_.uses) options_.uses->died(gone->address);
    const std::uintptr_t end = address + mapped.value, last = gone->address + whole_pages(gone->bytes).value;
    if (gone->address < address) machine_.disown(gone->address, Bytes(address - gone->address));
    if (end < last) machine_.disown(end, Bytes(last - end));
  }
}

void ManagedMemory::name_pages(const Object& object) {
  if (PageCounts* const counts = machine_.page_counts())
    counts->name_object(object.address, object.site.value, object.nth);
}

bool ManagedMemory::release_object(void* address) {
  const auto object = objects_.remove(reinterpret_cast<std::uintptr_t>(address));
  if (object && options_.uses) options_.uses->died(object->address);
  if (object)
    machine_.release(static_cast<char*>(address) - object->front.value, object->front + whole_pages(object->bytes));
  return object.has_value();
}

ManagedMemory::Heap& ManagedMemory::heap_of(std::uint32_t racing_lane) {
  if (racing_lane == 0) return heap_;
  const std::lock_guard lock(lanes_mutex_);
  return of_lanes_[racing_lane];
}

void* ManagedMemory::allocate_heap_object(Bytes bytes, Bytes alignment, bool zeroed, std::optional<LaneId> lane) {
  if (!options_.placing || bytes.value == 0) return nullptr;
  KeptObjects& kept_objects = heap_of(lane ? lane->value + 1 : 0).kept;
  Origin origin{.name = {}, .lane = lane};
  origin.site = site_of_caller(&origin.place);
  if (options_.keeps && alignment <= machine_.topology().page && !machine_.thread_binds()) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): kept by its address
    if (void* const kept = reinterpret_cast<void*>(kept_objects.take(origin.site, bytes))) {
      if (zeroed) std::memset(kept, 0, bytes.value);
      return kept;
    }
  }
  void* const fresh = make_object(bytes, alignment, {.managed = true, .header = true}, std::move(origin));
  if (!fresh) return nullptr;
  if (!options_.keeps) return fresh;
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the same
  for (const std::uintptr_t address : kept_objects.born(bytes)) release_object(reinterpret_cast<void*>(address));
  return fresh;
}

/// What a lane gives back of others it does not keep: when they ask for it next hangs on real time.
bool ManagedMemory::release_heap_object(void* address, std::optional<LaneId> lane) {
  const auto object = objects_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!object) return false;
  if (!options_.keeps) return release_object(address);
  Heap& heap = heap_of(object->racing_lane);
  // Its next owner has said nothing of where its pages are to be.
  if (machine_.bound(object->address, whole_pages(object->bytes)).value > 0) {
    heap.kept.gone(object->bytes);
    return release_object(address);
  }
  if (!lane || object->racing_lane == lane->value + 1) {
    if (heap.kept.keep(*object)) return true;
  } else {
    heap.gone += object->bytes.value;
    others_gave_back_.store(true, std::memory_order_relaxed);
  }
  return release_object(address);
}

SiteId ManagedMemory::site_of_small_blocks(CallsOnStack& calls) {
  CodePlace place;
  const SiteId site = site_of_caller(&place, &calls);
  if (!calls.readable) return {};
  const std::lock_guard lock(places_mutex_);
  if (!places_of_small_blocks_.contains(site)) places_of_small_blocks_[site] = place.known() ? place.text() : "";
  return site;
}

void* ManagedMemory::allocate_arena(Bytes bytes, SiteId site, std::optional<LaneId> lane) {
  Origin origin{.name = {}, .site = site, .lane = lane};
  {
    const std::lock_guard lock(places_mutex_);
    if (const auto found = places_of_small_blocks_.find(site); found != places_of_small_blocks_.end())
      origin.name = found->second;
  }
  return make_object(bytes, bytes, {.managed = true}, std::move(origin));
}

void ManagedMemory::all_lanes_ended() {
  if (!others_gave_back_.exchange(false, std::memory_order_relaxed)) return;
  const std::lock_guard lock(lanes_mutex_);
  heap_.kept.gone(Bytes(heap_.gone.exchange(0)));
  for (auto& [lane, heap] : of_lanes_) heap.kept.gone(Bytes(heap.gone.exchange(0)));
}

Bytes ManagedMemory::object_bytes(const void* address) const {
  const auto object = objects_.find(reinterpret_cast<std::uintptr_t>(address));
  return object && object->address == reinterpret_cast<std::uintptr_t>(address) ? object->bytes : Bytes(0);
}

std::string ManagedMemory::move_object(const void* address, int hint) {
  const auto object = objects_.find(reinterpret_cast<std::uintptr_t>(address));
  if (!object || object->address != reinterpret_cast<std::uintptr_t>(address))
    return "lbhm_move: no object begins at that address; give it what a managed allocator returned";
  const TierId tier = tier_of(hint);
  if (tier == no_tier)
    return "lbhm_move: this machine has no memory " + std::to_string(hint) + "; see lbhm machine list";
  const Bytes mapped = whole_pages(object->bytes);
  if (machine_.bound(object->address, mapped).value > 0)
    return "lbhm_move: the program has said itself where pages of the object are (mbind, set_mempolicy), and that "
           "holds";
  actor_.set_preferred_tier(object->address, mapped, tier);
  const MoveReport done = actor_.carry_out_at_interval({.moves = {{object->address, mapped, tier}}});
  return done.failed.value == 0 ? "" : "lbhm_move: a part of the object stayed where it was: " + done.first_failure;
}

void* ManagedMemory::allocate_block(Bytes bytes, int hint) {
  const TierId tier = tier_of(hint);
  return options_.placing && tier != no_tier ? machine_.allocate_block(bytes, tier) : nullptr;
}

}  // namespace lbhm
