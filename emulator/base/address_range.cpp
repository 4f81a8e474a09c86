#include "emulator/base/address_range.h"

#include <sys/mman.h>

#include "emulator/base/process.h"

namespace lbhm::emulator {
namespace {

constexpr std::size_t length = std::size_t{1} << 40;
constexpr std::size_t of_lanes = length / 2, of_lane = std::size_t{4} << 30;
constexpr std::size_t coarse = std::size_t{1} << 30;  // alignments up to this one leave the same holes in every run

constexpr int unused = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* map(std::uintptr_t where, std::size_t bytes, int protection, int flags) {
  void* p = mmap(reinterpret_cast<void*>(where), bytes, protection, flags, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
}

void unmap(std::uintptr_t first, std::uintptr_t last) {
  if (first < last) munmap(reinterpret_cast<void*>(first), last - first);
}

void* map_anywhere(std::size_t bytes, std::size_t alignment) {
  if (bytes + alignment < bytes) return nullptr;
  void* mapped = map(0, bytes + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS);
  if (mapped == nullptr) return nullptr;
  const auto start = reinterpret_cast<std::uintptr_t>(mapped);
  const std::uintptr_t place = (start + alignment - 1) & ~(alignment - 1);
  if (place > start) munmap(mapped, place - start);
  munmap(reinterpret_cast<void*>(place + bytes), start + alignment - place);
  return reinterpret_cast<void*>(place);
}

}  // namespace

AddressRange::AddressRange() : mapped_(map(0, length, PROT_NONE, unused)) {
  if (mapped_ == nullptr) return;  // a limit on addresses: every block is a mapping of its own
  const auto start = reinterpret_cast<std::uintptr_t>(mapped_);
  first_ = (start + coarse - 1) & ~(coarse - 1);
  last_ = start + length;
  lanes_ = first_ + of_lanes;
  holes_[everybodys].add(first_, lanes_);
}

/// What was not given back stays: the program may use it until its last breath.
AddressRange::~AddressRange() {
  settle();
  if (!given_up_) unmap_unused();
}

void AddressRange::unmap_unused() {
  if (mapped_ == nullptr) return;
  unmap(reinterpret_cast<std::uintptr_t>(mapped_), first_);
  std::uintptr_t unused_from = lanes_;  // parts of lanes that never asked
  for (const auto& [part, holes] : holes_) {
    for (const auto& [first, last] : holes) unmap(first, last);
    if (part == everybodys) continue;
    unmap(unused_from, first_of(part));
    unused_from = first_of(part) + of_lane;
  }
  unmap(unused_from, last_);
}

std::uintptr_t AddressRange::first_of(Part part) const { return lanes_ + (part - std::size_t{1}) * of_lane; }

Holes* AddressRange::holes_of(Part part) {
  if (mapped_ == nullptr || given_up_) return nullptr;
  const std::uintptr_t first = first_of(part);
  if (part != everybodys && (first >= last_ || last_ - first < of_lane)) return nullptr;
  const auto [found, fresh] = holes_.try_emplace(part);
  if (fresh) found->second.add(first, first + of_lane);
  return &found->second;
}

AddressRange::Part AddressRange::part_of(std::uintptr_t address) const {
  const bool of_lane_there = mapped_ != nullptr && address >= lanes_ && address < last_;
  return of_lane_there ? static_cast<Part>((address - lanes_) / of_lane + 1) : everybodys;
}

void* AddressRange::take(Part part, std::size_t bytes, std::size_t alignment) {
  const std::lock_guard guard(lock_);
  Holes* const holes = holes_of(part);
  const std::uintptr_t place = holes != nullptr ? holes->take(bytes, alignment) : 0;
  if (place == 0) return part == everybodys ? map_anywhere(bytes, alignment) : nullptr;
  void* memory = map(place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED);
  if (memory == nullptr) holes->add(place, place + bytes);
  return memory;
}

void AddressRange::settle() {
  const std::lock_guard guard(lock_);
  for (const auto& [first, last] : later_) {
    if (given_up_)
      unmap(first, last);
    else
      holes_of(part_of(first))->add(first, last);
  }
  later_.clear();
}

void AddressRange::give_up() {
  const auto turn = lock_if_possible(lock_);
  if (!turn || mapped_ == nullptr || given_up_) return;
  unmap_unused();
  holes_.clear();
  given_up_ = true;
}

void AddressRange::give_back(void* address, std::size_t bytes, bool later) {
  const std::lock_guard guard(lock_);
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (given_up_ || place < first_ || place >= last_) {
    munmap(address, bytes);
    return;
  }
  if (map(place, bytes, PROT_NONE, unused | MAP_FIXED) == nullptr) return;
  if (later)
    later_.emplace_back(place, place + bytes);
  else
    holes_of(part_of(place))->add(place, place + bytes);
}

}  // namespace lbhm::emulator
