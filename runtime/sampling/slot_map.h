// From an address to the object of a phase and the page in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/sampling/sampling.h"

namespace lbhm::sampling {

struct SlotPage {
  ObjectSlot slot;
  PageIndex page;
};

/// The ranges of all slots, cut into pieces that do not overlap. Where slots overlap, the one listed first wins.
class SlotMap {
 public:
  /// `page`: size of a page, a power of two. Cost: O(slots log slots).
  SlotMap(std::span<const SlotRange> slots, Bytes page);
  /// Nothing if no slot holds `address`. Cost: O(log slots).
  std::optional<SlotPage> find(std::uintptr_t address) const;

 private:
  struct Piece {
    std::uintptr_t first;
    std::uintptr_t last;  ///< inclusive, so that the last page of the address space needs no special case
    ObjectSlot slot;
    std::uint64_t page_zero;  ///< number of the page of the object's first byte
  };
  std::vector<Piece> pieces_;  ///< by first
  std::uint64_t page_;
};

}  // namespace lbhm::sampling
