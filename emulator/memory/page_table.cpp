#include "emulator/memory/page_table.h"

#include <algorithm>
#include <new>

namespace lbhm::emulator {

PageTable::~PageTable() { clear(); }

void PageTable::clear() {
  for (const auto& [region, leaf] : leaves_) private_memory().deallocate(leaf, sizeof(Leaf), alignof(Leaf));
  leaves_.clear();
  recent_.fill({});
  pages_.assign(1, 0);
}

PageTable::Leaf& PageTable::leaf(std::uint64_t region) {
  Leaf*& leaf = leaves_[region];
  if (leaf == nullptr) leaf = new (private_memory().allocate(sizeof(Leaf), alignof(Leaf))) Leaf{};
  recent_[region % recent_.size()] = {region, leaf};
  return *leaf;
}

Frame PageTable::first_touch(PageNumber page, Picoseconds now) {
  Frame& entry = leaf(page >> leaf_bits)[page & leaf_mask];
  if (entry != no_frame) return entry & ~ignore_flag;
  if (page == 0 || (page >= ignored_.first && page < ignored_.last)) {
    entry = ignore_flag;
    return no_frame;
  }
  pages_.push_back(map_.touch(
      page, {.time = now, .core = core_, .sequence = first_touches_++, .at_once = at_once_, .alone = alone_}));
  // Past the last frame the numbers are used again; catch_up() empties everything before it matters.
  entry = std::min<Frame>(static_cast<Frame>(pages_.size() - 1), maximum_frames - 1);
  return entry;
}

Frame PageTable::known_frame(PageNumber page) const {
  const auto found = leaves_.find(page >> leaf_bits);
  if (found == leaves_.end()) return no_frame;
  const Frame entry = (*found->second)[page & leaf_mask];
  return (entry & ignore_flag) != 0 ? no_frame : entry;
}

void PageTable::release(PageNumberRange range) {
  for (PageNumber page = range.first; page < range.last; ++page) {
    if (!leaves_.contains(page >> leaf_bits))
      page |= leaf_mask;  // nothing of this region was ever touched here
    else if (const Frame frame = known_frame(page); frame != no_frame)
      pages_[frame] = PageMap::no_page;
  }
}

bool PageTable::catch_up() {
  const bool exhausted = pages_.size() >= maximum_frames;
  if (map_.releases() == releases_seen_ && !exhausted) return true;
  PrivateVector<PageNumberRange> ranges;
  const bool remembered = map_.released_since(releases_seen_, ranges);
  if (exhausted || !remembered) {
    clear();
    return false;
  }
  for (const PageNumberRange& range : ranges) {
    for (PageNumber page = range.first; page < range.last; ++page) {
      const auto found = leaves_.find(page >> leaf_bits);
      if (found == leaves_.end()) {
        page |= leaf_mask;  // nothing of this region was ever touched here
      } else {
        (*found->second)[page & leaf_mask] = no_frame;
      }
    }
  }
  return true;
}

}  // namespace lbhm::emulator
