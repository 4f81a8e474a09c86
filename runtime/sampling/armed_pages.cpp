#include "runtime/sampling/armed_pages.h"

#include <bit>

namespace lbhm::sampling {
namespace {

// Low bits of a slot: protection (0 to 7), reasons (0 to 7), and one that no empty slot has.
constexpr unsigned reason_shift = 3;
constexpr std::uint64_t used_bit = 1u << 6;
constexpr std::uint64_t low_bits = 0xfff;
constexpr std::size_t least_slots = 1024;

std::uint64_t pack(std::uintptr_t page, ArmedPages::Entry entry) {
  return page | used_bit | entry.reasons << reason_shift | static_cast<unsigned>(entry.protection);
}
ArmedPages::Entry unpack(std::uint64_t slot) {
  return {.protection = static_cast<int>(slot & 7), .reasons = static_cast<unsigned>(slot >> reason_shift & 7)};
}

}  // namespace

/// The slot of the page, or the empty one where it would go. There is always an empty one.
std::size_t ArmedPages::slot_of(std::uintptr_t page) const {
  // Fibonacci hashing: neighbouring pages go far apart.
  const std::size_t mask = slots_.size() - 1;
  std::size_t at = (page / page_ * 0x9e3779b97f4a7c15u) >> (64 - std::bit_width(mask | 1)) & mask;
  while (slots_[at] != 0 && (slots_[at] & ~low_bits) != page) at = (at + 1) & mask;
  return at;
}

bool ArmedPages::reserve(std::size_t more) {
  if (2 * (used_ + more) <= slots_.size()) return true;
  // What is no longer armed goes; then there is room for as much again before the next time.
  std::size_t count = std::bit_ceil(4 * (armed_ + more));
  if (count < least_slots) count = least_slots;
  MappedArray<Slot> slots(count);
  if (slots.size() == 0) return false;
  rehash(std::move(slots));
  return true;
}

void ArmedPages::rehash(MappedArray<Slot> slots) {
  slots_.swap(slots);
  used_ = 0;
  for (std::size_t i = 0; i < slots.size(); ++i) {
    if (unpack(slots[i]).reasons == 0) continue;
    slots_[slot_of(slots[i] & ~low_bits)] = slots[i];
    ++used_;
  }
}

ArmedPages::Entry ArmedPages::find(std::uintptr_t page) const {
  if (slots_.size() == 0) return {};
  return unpack(slots_[slot_of(page)]);
}

void ArmedPages::set(std::uintptr_t page, Entry entry) {
  Slot& slot = slots_[slot_of(page)];
  if (slot == 0) ++used_;
  armed_ -= unpack(slot).reasons != 0;
  armed_ += entry.reasons != 0;
  slot = pack(page, entry);
}

std::uintptr_t ArmedPages::armed_at(std::size_t slot) const {
  return unpack(slots_[slot]).reasons != 0 ? slots_[slot] & ~low_bits : 0;
}

}  // namespace lbhm::sampling
