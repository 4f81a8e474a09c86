// One stretch of addresses from which all reserved memory comes.
//
// The system would place every mapping for itself, large ones at borders of huge pages, so that the order of objects by
// address, and all that follows from it, would change with address randomisation. Here only the beginning is random.
// Lanes that race for memory have parts of their own: where a block of one lies hangs on what this lane did alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>

#include "emulator/base/holes.h"
#include "emulator/base/private_memory.h"
#include "runtime/base/values.h"

namespace lbhm::emulator {

/// Safe from any thread. Where a block goes depends on the calls for its part so far alone.
class AddressRange {
 public:
  using Part = std::uint32_t;
  static constexpr Part everybodys = 0;
  static Part part_of(LaneId lane) { return lane.value + 1; }

  AddressRange();
  ~AddressRange();
  AddressRange(const AddressRange&) = delete;
  AddressRange& operator=(const AddressRange&) = delete;

  /// Zeroed memory in whole pages; `alignment`: a power of two, at least a page. Null if the host has no memory, or the
  /// part of a lane no room.
  void* take(Part part, std::size_t bytes, std::size_t alignment);
  /// `later`: to be had again after settle(), when all lanes have come to the same point.
  void give_back(void* address, std::size_t bytes, bool later = false);
  void settle();
  /// What is not in use goes back to the system, where every block is a mapping of its own from here on. In a child
  /// made by fork(2) only if no thread was in a call when it began.
  void give_up();
  /// In which part the address is.
  Part part_of(std::uintptr_t address) const;

 private:
  std::uintptr_t first_of(Part part) const;  ///< of a lane
  /// Made when it is asked for; null: there is no such part.
  Holes* holes_of(Part part);
  void unmap_unused();

  std::mutex lock_;
  void* mapped_;
  bool given_up_ = false;
  std::uintptr_t first_ = 0;
  std::uintptr_t last_ = 0;
  std::uintptr_t lanes_ = 0;  // where their parts begin
  PrivateMap<Part, Holes> holes_;
  PrivateVector<std::pair<std::uintptr_t, std::uintptr_t>> later_;
};

}  // namespace lbhm::emulator
