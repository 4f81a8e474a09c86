// The page table of one emulated core: virtual page -> frame of its own.
//
// Frames are numbered in the order in which this core first touches pages, and the caches are indexed by frames. So
// what a core's caches do depends on its own accesses alone, not on address randomisation or on other threads.
#pragma once

#include <array>
#include <cstdint>

#include "emulator/memory/page_map.h"
#include "emulator/parts/cache.h"

namespace lbhm::emulator {

/// Number of a page on one core; 0 is none.
using Frame = std::uint32_t;
inline constexpr Frame no_frame = 0;
inline constexpr Frame maximum_frames = 1u << (line_id_bits - (page_bits - line_bits));

class PageTable {
 public:
  /// Pages of `ignored` get no frame: the stack of the first thread, whose address is random within a page.
  PageTable(PageMap& map, std::uint64_t core, PageNumberRange ignored) : map_(map), core_(core), ignored_(ignored) {}
  ~PageTable();
  PageTable(const PageTable&) = delete;
  PageTable& operator=(const PageTable&) = delete;

  /// Hands the pages that this core touches out at once, instead of at the quantum's end. `alone`: FirstTouch's.
  void hand_out_at_once(bool at_once, bool alone = false) {
    at_once_ = at_once;
    alone_ = alone;
  }

  /// This core releases the pages: for it they are gone at once.
  void release(PageNumberRange range);
  /// Forgets released pages. False if frames ran out: the caches must be emptied, they hold lines of other frames.
  bool catch_up();

  /// The frame of a page; no_frame for an ignored page, and for page 0, which no program has.
  Frame frame(PageNumber page, Picoseconds now) {
    const std::uint64_t region = page >> leaf_bits;
    const Recent& recent = recent_[region % recent_.size()];
    if (recent.region == region) [[likely]] {
      const Frame frame = (*recent.leaf)[page & leaf_mask];
      if (frame != no_frame) [[likely]]
        return frame & ~ignore_flag;
    }
    return first_touch(page, now);
  }

  /// no_tier if the page is gone.
  TierId tier(Frame frame) const { return map_.tier(pages_[frame]); }
  PageId id(Frame frame) const { return pages_[frame]; }
  /// The frame of a page that this core touched; else no_frame.
  Frame known_frame(PageNumber page) const;

 private:
  static constexpr unsigned leaf_bits = 9;
  static constexpr PageNumber leaf_mask = (1u << leaf_bits) - 1;
  static constexpr Frame ignore_flag = 1u << 31;
  using Leaf = std::array<Frame, 1u << leaf_bits>;
  struct Recent {
    std::uint64_t region = ~std::uint64_t{0};  // of no page
    Leaf* leaf = nullptr;
  };

  Leaf& leaf(std::uint64_t region);
  Frame first_touch(PageNumber page, Picoseconds now);
  void clear();

  PageMap& map_;
  std::uint64_t core_;
  PageNumberRange ignored_;
  bool at_once_ = false;
  bool alone_ = false;
  std::uint64_t first_touches_ = 0;
  std::uint64_t releases_seen_ = 0;
  std::array<Recent, 256> recent_{};
  PrivateHashMap<std::uint64_t, Leaf*> leaves_;
  PrivateVector<PageId> pages_{0};  // by frame
};

}  // namespace lbhm::emulator
