// The memory calls of the emulated machine, and what policies can learn of its pages.
#include <algorithm>
#include <bit>

#include "emulator/machine/emulated_machine.h"

namespace lbhm::emulator {
namespace {

constexpr std::uint64_t page_bytes = 1ull << page_bits;

std::uint64_t whole_pages(Bytes bytes) { return (bytes.value + page_bytes - 1) & ~(page_bytes - 1); }

/// The pages that a range of bytes touches.
PageNumberRange pages_of(std::uintptr_t address, Bytes bytes) {
  return {.first = address >> page_bits, .last = (address + bytes.value + page_bytes - 1) >> page_bits};
}

}  // namespace

Result<void*> EmulatedMachine::reserve(Bytes bytes, Bytes alignment) {
  return reserve_in(AddressRange::everybodys, bytes, alignment);
}

/// In the quantum in which the lane asks.
Result<void*> EmulatedMachine::reserve_for_lane(Bytes bytes, Bytes alignment, LaneId lane) {
  execution_.flushed_core();
  return reserve_in(AddressRange::part_of(lane), bytes, alignment);
}

Result<void*> EmulatedMachine::reserve_in(AddressRange::Part part, Bytes bytes, Bytes alignment) {
  if (bytes.value == 0 || !std::has_single_bit(alignment.value)) {
    return failure(StatusCode::invalid_argument,
                   "reserve: needs a size above 0 and an alignment that is a power of two");
  }
  const std::uint64_t size = whole_pages(bytes);
  void* memory = nullptr;
  if (size >= bytes.value) {
    guard([&] {
      memory = addresses_.take(part, size, std::max(alignment.value, page_bytes));
      if (memory != nullptr) pages_.manage(pages_of(reinterpret_cast<std::uintptr_t>(memory), Bytes(size)));
    });
  }
  if (memory == nullptr) {
    return failure(StatusCode::no_memory, "reserve: the host has no room for " + std::to_string(bytes.value) +
                                              " bytes; use a smaller input or a larger host");
  }
  return memory;
}

void EmulatedMachine::release(void* address, Bytes bytes) {
  release_pages(reinterpret_cast<std::uintptr_t>(address), bytes, true);
}

/// Whoever limits itself to so little touches little: one page in 64 bytes of it, in its whole life.
void EmulatedMachine::limit_addresses(Bytes most) {
  addresses_.give_up();
  pages_.keep_ids(static_cast<PageId>(std::min<std::uint64_t>(most.value / 64, maximum_page_ids)));
}

void EmulatedMachine::disown(std::uintptr_t address, Bytes bytes) { release_pages(address, bytes, false); }

void EmulatedMachine::adopt(std::uintptr_t address, Bytes bytes) {
  execution_.flushed_core();
  guard([&] { pages_.adopt(pages_of(address, bytes)); });
}

/// `unmapped`: of reserve(), as a whole.
void EmulatedMachine::release_pages(std::uintptr_t address, Bytes bytes, bool unmapped) {
  Core* core = execution_.flushed_core();
  guard([&] {
    const PageNumberRange range = pages_of(address, bytes);
    const bool others_run = core != nullptr && core->in_step() && core->has_team();
    if (others_run) core->model().page_table().release(range);
    pages_.release(range, others_run ? PageMap::Gone::at_quantum_end : PageMap::Gone::at_once);
    if (!unmapped) return;
    const AddressRange::Part part = addresses_.part_of(address);
    const bool of_others =
        part != AddressRange::everybodys && others_run && part != AddressRange::part_of(core->lane());
    // NOLINTNEXTLINE(performance-no-int-to-ptr): kept by its address
    addresses_.give_back(reinterpret_cast<void*>(address), whole_pages(bytes), of_others);
  });
}

Status EmulatedMachine::check_order(std::span<const TierId> order) const {
  const std::size_t tiers = description_.topology.tiers.size();
  if (std::ranges::all_of(order, [tiers](TierId tier) { return tier.value < tiers; })) return {};
  return {StatusCode::invalid_argument,
          "prefer: the order names a tier that machine " + description_.topology.name + " does not have"};
}

Status EmulatedMachine::prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) {
  Status status = check_order(order);
  if (status.ok() && bytes.value > 0) guard([&] { pages_.prefer(pages_of(address, bytes), order); });
  return status;
}

Status EmulatedMachine::prefer_default(std::span<const TierId> order) {
  Status status = check_order(order);
  if (status.ok()) guard([&] { pages_.prefer_default(order); });
  return status;
}

Status EmulatedMachine::prefer_unmanaged(std::span<const TierId> order) {
  Status status = check_order(order);
  if (status.ok()) guard([&] { pages_.prefer_unmanaged(order); });
  return status;
}

std::vector<PageRange> EmulatedMachine::unmanaged() {
  execution_.flushed_core();
  std::vector<PageRange> ranges;
  guard([&] {
    for (const PageNumberRange& run : pages_.unmanaged())
      ranges.push_back({run.first << page_bits, Bytes((run.last - run.first) << page_bits)});
  });
  return ranges;
}

std::vector<PageRange> EmulatedMachine::touched(PageRange range) {
  const std::uintptr_t last = range.address + range.bytes.value;
  std::vector<PageRange> parts;
  guard([&] {
    for (const PageNumberRange& part : pages_.touched({range.address >> page_bits, ((last - 1) >> page_bits) + 1})) {
      const std::uintptr_t begin = std::max<std::uintptr_t>(range.address, part.first << page_bits);
      parts.push_back({begin, Bytes(std::min<std::uintptr_t>(last, part.last << page_bits) - begin)});
    }
  });
  return parts;
}

Status EmulatedMachine::scatter(double fast, std::uint64_t seed) {
  pages_.scatter(Scatter(fast, seed));
  return {};
}

void EmulatedMachine::where(std::span<const std::uintptr_t> pages, std::span<TierId> out) {
  execution_.flushed_core();
  guard([&] { pages_.hand_out(); });
  pages_.where(pages, out);
}

void EmulatedMachine::glance(std::span<const std::uintptr_t> pages, std::span<TierId> out) { pages_.where(pages, out); }

void EmulatedMachine::move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) {
  Core* core = execution_.flushed_core();
  guard([&] { pages_.hand_out(); });
  PrivateVector<PageNumber> moved;
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const PageNumber number = pages[i] >> page_bits;
    TierId from = no_tier;
    out[i] = PageStatus::denied;
    if (to.value < description_.topology.tiers.size()) guard([&] { out[i] = pages_.move(number, to, from); });
    if (out[i] != PageStatus::moved) continue;
    guard([&] { moved.push_back(number); });
    if (core != nullptr) charge_move(*core, from, to);
  }
  if (!moved.empty()) flush_translations(core, moved);
}

void EmulatedMachine::charge_move(Core& core, TierId from, TierId to) const {
  const PageCopy copy = page_copy(description_, from.value, to.value);
  core.model().spend(description_.migration.page + copy.time);
  core.model().add_demand(from.value, {.read = copy.read});
  core.model().add_demand(to.value, {.written = copy.write});
}

/// Whole pages, as move() charges them, in one call.
Nanoseconds EmulatedMachine::move_time(Bytes bytes, TierId from, TierId to) const {
  const std::size_t tiers = description_.topology.tiers.size();
  if (from == to || from.value >= tiers || to.value >= tiers || bytes.value == 0) return {};
  const std::uint64_t pages = (bytes.value + (1u << page_bits) - 1) >> page_bits;
  const Picoseconds page = description_.migration.page + page_copy(description_, from.value, to.value).time;
  return to_nanoseconds(pages * page + description_.migration.shootdown);
}

void EmulatedMachine::flush_translations(Core* core, std::span<const PageNumber> pages) {
  if (core == nullptr) return;
  core->model().spend(description_.migration.shootdown);
  core->model().forget_translations(pages);
  guard([&] { pages_.flushes().add(core->number(), pages); });
}

Bytes EmulatedMachine::room(TierId tier) {
  if (tier.value >= description_.topology.tiers.size()) return {};
  execution_.flushed_core();
  Bytes room;
  guard([&] { room = pages_.room(tier); });
  return room;
}

void EmulatedMachine::scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) {
  Core* core = execution_.flushed_core();
  std::ranges::fill(out, false);
  PrivateVector<PageId> ids;
  PrivateVector<PageNumber> cleared;
  guard([&] { ids = pages_.ids_of(pages); });
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == PageMap::no_page) continue;
    out[i] = pages_.watch().was_accessed(ids[i], clear);
    if (clear && out[i]) guard([&] { cleared.push_back(pages[i] >> page_bits); });
  }
  if (core != nullptr) core->model().spend(pages.size() * description_.observation.scan);
  if (core != nullptr && !cleared.empty()) let_fall_out(*core, cleared);
}

/// Clearing a bit flushes nothing (x86). But footprints here are a ten-thousandth of those that are meant, and TLBs are
/// as large as ever: a page would stay in them from scan to scan and seem idle, where on the machine that is meant its
/// translation is replaced thousands of times between two scans.
void EmulatedMachine::let_fall_out(Core& core, std::span<const PageNumber> pages) {
  const CacheShape tlb = description_.core.tlb;
  core.model().forget_translations(pages);
  guard([&] { pages_.flushes().fell_out(core.number(), pages, std::size_t{tlb.sets} * tlb.ways); });
}

void EmulatedMachine::arm_hint_faults(std::span<const std::uintptr_t> pages) {
  Core* core = execution_.flushed_core();
  PrivateVector<PageId> ids;
  PrivateVector<PageNumber> armed;
  guard([&] { ids = pages_.ids_of(pages); });
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (ids[i] == PageMap::no_page) continue;
    pages_.watch().arm(ids[i]);
    guard([&] { armed.push_back(pages[i] >> page_bits); });
  }
  if (core != nullptr) core->model().spend(pages.size() * description_.observation.scan);
  if (!armed.empty()) flush_translations(core, armed);
}

void EmulatedMachine::drain_hint_faults(std::vector<HintFault>& out) { pages_.watch().drain(out); }

}  // namespace lbhm::emulator
