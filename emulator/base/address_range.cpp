#include "emulator/base/address_range.h"

#include <sys/mman.h>

#include <algorithm>
#include <iterator>

namespace lbhm::emulator {
namespace {

constexpr std::size_t length = std::size_t{1} << 40;
constexpr std::size_t coarse = std::size_t{1} << 30;  // alignments up to this one leave the same holes in every run

constexpr int unused = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

void* map(std::uintptr_t where, std::size_t bytes, int protection, int flags) {
  void* p = mmap(reinterpret_cast<void*>(where), bytes, protection, flags, -1, 0);
  return p == MAP_FAILED ? nullptr : p;
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
  holes_[first_] = last_;
}

/// What was not given back stays: the program may use it until its last breath.
AddressRange::~AddressRange() {
  for (const auto& [first, last] : holes_) munmap(reinterpret_cast<void*>(first), last - first);
}

void* AddressRange::take(std::size_t bytes, std::size_t alignment) {
  const std::lock_guard guard(lock_);
  const std::uintptr_t place = find(bytes, alignment);
  if (place == 0) return map_anywhere(bytes, alignment);
  void* memory = map(place, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED);
  if (memory == nullptr) add_hole(place, place + bytes);
  return memory;
}

void AddressRange::give_back(void* address, std::size_t bytes) {
  const std::lock_guard guard(lock_);
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  if (place < first_ || place >= last_) {
    munmap(address, bytes);
    return;
  }
  if (map(place, bytes, PROT_NONE, unused | MAP_FIXED) != nullptr) add_hole(place, place + bytes);
}

std::uintptr_t AddressRange::find(std::size_t bytes, std::size_t alignment) {
  for (auto hole = holes_.begin(); hole != holes_.end(); ++hole) {
    const auto [first, last] = *hole;
    const std::uintptr_t place = (first + alignment - 1) & ~(alignment - 1);
    if (place < first || place > last || last - place < bytes) continue;
    holes_.erase(hole);
    if (first < place) holes_[first] = place;
    if (place + bytes < last) holes_[place + bytes] = last;
    return place;
  }
  return 0;
}

void AddressRange::add_hole(std::uintptr_t first, std::uintptr_t last) {
  const auto next = holes_.lower_bound(first);
  if (next != holes_.end() && next->first == last) {
    last = next->second;
    holes_.erase(next);
  }
  const auto after = holes_.lower_bound(first);
  if (after != holes_.begin() && std::prev(after)->second == first) {
    std::prev(after)->second = last;
  } else {
    holes_[first] = last;
  }
}

}  // namespace lbhm::emulator
