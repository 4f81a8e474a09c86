// Which loops a lane began, over which objects: what ties the compiler's patterns to the objects of a phase.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/patterns/patterns.h"
#include "runtime/sampling/sampling.h"

namespace lbhm {

/// The objects of a phase by address. Lanes read it without a lock: it never changes.
class SlotIndex {
 public:
  explicit SlotIndex(std::span<const SlotRange> ranges);
  /// Where ranges overlap, the one that begins last holds the address. Cost: O(log ranges).
  std::optional<ObjectSlot> find(std::uintptr_t address) const;

 private:
  std::vector<SlotRange> ranges_;  ///< by address
};

/// How often one lane began each loop at each object. The program is in the middle of its work when it adds to it:
/// no memory is allocated after the first note.
class LaneNotes {
 public:
  /// More are dropped: so many bases at so many objects in one region do not occur in code written by hand.
  static constexpr std::size_t capacity = 1024;

  void add(std::uint64_t base, ObjectSlot slot);
  /// Adds what was noted to `sum`, which may have notes of the same bases, and forgets it.
  void move_to(std::vector<NotedBase>& sum);

 private:
  struct Table {
    std::array<NotedBase, capacity> entries;  ///< open addressing; times is 0 where there is none
    std::size_t used = 0;
  };
  std::unique_ptr<Table> table_;
};

}  // namespace lbhm
