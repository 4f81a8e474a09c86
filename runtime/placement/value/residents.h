// Where the program's pages are, where first touch alone would have them, and which of them are new.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/placement/placement.h"
#include "runtime/placement/value/page_values.h"

namespace lbhm::placement {

/// First touch fills fast memory with pages in the order of their births, and a page that is gone leaves its place to
/// the next one that is born. So all that is to be known of it is one bit a page.
///
/// Pages of no object (stacks, small blocks) are known by keys in place of their addresses, in the order of their first
/// touch: where the system has put them is chance, and decides nothing.
class Residents {
 public:
  struct Page {
    TierId tier;
    bool home = false;        ///< first touch alone would have it in fast memory
    std::uint64_t since = 0;  ///< the look before which it appeared; 0: long ago
    bool fast() const { return tier == TierId(0); }
    bool away() const { return fast() != home; }
    bool operator==(const Page&) const = default;
  };

  /// Asks anew, before this look; look 0: nobody knows when what there is appeared. `capacity`: pages of fast memory.
  /// Whether pages appeared before `long_ago` is of no interest any more. Cost: O(ranges of pages alike + unmanaged
  /// pages).
  void follow(PolicyContext& context, std::uint64_t capacity, std::uint64_t look, std::uint64_t long_ago);

  /// By key.
  const RangeMap<Page>& pages() const { return pages_; }
  /// Null: it is in no tier.
  const Page* find(std::uintptr_t key) const;
  /// Of the page at this address, and back.
  std::uintptr_t key_of(std::uintptr_t address) const;
  std::uintptr_t address_of(std::uintptr_t key) const;
  /// The objects, the pages of none first.
  std::span<const PageValues::Extent> extents() const { return extents_; }
  /// Pages that appeared before this look, by site.
  const std::map<SiteId, std::uint64_t>& births() const { return births_; }
  std::uint64_t count() const { return count_; }
  /// Pages that are not where first touch would have them.
  std::uint64_t away() const { return away_; }

 private:
  using Ranges = RangeMap<Page>;
  void take(Ranges& now, std::vector<PageRange>& born, const PageRange& range, TierId tier, std::uint64_t long_ago);
  std::vector<std::uintptr_t> keys_of_no_object(PolicyContext& context);
  template <class Visit>
  void visit_pages(PolicyContext& context, std::span<const std::uintptr_t> keys, Visit visit) const;
  void count(PolicyContext& context);

  static constexpr std::uintptr_t first_key = std::uintptr_t{1} << 62;  // no program has memory there

  std::uintptr_t next_key_ = first_key;
  std::unordered_map<std::uintptr_t, std::uintptr_t> keys_, addresses_;  // of pages of no object that are there
  Bytes page_;
  Ranges pages_;
  std::vector<PageValues::Extent> extents_;
  std::map<SiteId, std::uint64_t> births_;
  std::uint64_t count_ = 0, away_ = 0, at_home_ = 0, look_ = 0;
};

}  // namespace lbhm::placement
