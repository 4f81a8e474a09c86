// Which tier holds which page: the one table that all emulated cores share.
//
// Determinism: a page that is touched for the first time during a quantum is pending. Until the quantum ends it is
// charged to the tier that it would get if the room of the quantum's start were left; then the pending pages are handed
// out in the order of (virtual time, core, touch of that core). Which thread came first in real time does not matter.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/description/preset.h"
#include "emulator/memory/bandwidth.h"
#include "emulator/memory/frame_order.h"
#include "emulator/memory/llc_shares.h"
#include "emulator/memory/memory_cache.h"
#include "emulator/memory/page_count_log.h"
#include "emulator/memory/page_watch.h"
#include "emulator/memory/physical_node.h"
#include "emulator/memory/preferences.h"
#include "emulator/memory/tlb_flushes.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

/// Number of a page in physical memory, in memory-mode.
using PhysicalFrame = std::uint32_t;

/// When and by whom a page was touched; also the order in which pages are handed out.
struct FirstTouch {
  Picoseconds time = 0;
  std::uint64_t core = 0;
  std::uint64_t sequence = 0;  ///< of the core's own first touches
  bool at_once = false;        ///< by a thread outside the quantum: not pending
  bool alone = false;          ///< by the program's initial thread outside of teams: nobody else can come first
  auto operator<=>(const FirstTouch&) const = default;
};

/// Pages [first, last).
struct PageNumberRange {
  PageNumber first = 0;
  PageNumber last = 0;
};

class PageMap {
 public:
  explicit PageMap(const MachineDescription& machine);
  explicit PageMap(const Topology& topology) : PageMap(plain(topology)) {}
  PageMap(const PageMap&) = delete;
  PageMap& operator=(const PageMap&) = delete;

  /// A core meets a page that is not in its own table.
  PageId touch(PageNumber page, const FirstTouch& touch);
  /// The tier to charge; no_tier once the page is gone. Safe at any time, without the lock.
  TierId tier(PageId id) const { return TierId(tiers_[id].load(std::memory_order_relaxed)); }

  /// Every pending page gets its tier.
  void hand_out();
  /// The quantum is over: pages are handed out, and what cores changed in what they share is now true for all.
  void end_quantum();

  /// Before anybody runs: the log is told of objects and pages.
  void set_log(PageCountLog& log) { log_ = &log; }

  void prefer(PageNumberRange range, std::span<const TierId> order);
  void prefer_default(std::span<const TierId> order);
  /// Of unmanaged pages; until it is called they go as all others do.
  void prefer_unmanaged(std::span<const TierId> order);
  /// Until a page is handed out it is charged as prefer_default says, unless it is clear who touched it first.
  void scatter(const Scatter& chance);
  TierId where(PageNumber page);
  /// The same of the pages at many addresses.
  void where(std::span<const std::uintptr_t> addresses, std::span<TierId> out);
  /// Changes the books only. `from` is the tier that the page left, if the answer is `moved`.
  PageStatus move(PageNumber page, TierId to, TierId& from);
  Bytes room(TierId tier);
  /// The same before pending pages are handed out: asking changes nothing.
  Bytes room_now(std::size_t tier);
  Bytes peak_footprint();

  PhysicalNode& node() { return *node_; }
  // What the cores share of the memory beside the pages' tiers.
  TierLoad& load() { return load_; }
  LlcShares& llc_shares() { return llc_shares_; }
  PageWatch& watch() { return watch_; }
  TlbFlushes& flushes() { return flushes_; }
  /// Null but in memory-mode.
  MemoryCache* memory_cache() { return memory_cache_.get(); }
  /// In memory-mode: nothing until the page is handed out.
  std::optional<PhysicalFrame> physical_frame(PageId id) const;
  /// The numbers of the pages at these addresses; no_page for those that nobody touched.
  PrivateVector<PageId> ids_of(std::span<const std::uintptr_t> addresses);

  /// The parts of the range in which pages were touched, to the borders of chunks.
  PrivateVector<PageNumberRange> touched(PageNumberRange range);

  /// Marks the range as made by reserve(): sweep() leaves it alone.
  void manage(PageNumberRange range);
  /// The same for memory that the program has by itself: pages that were touched stay as they are.
  void adopt(PageNumberRange range);
  /// Pages in a tier that are in no range of manage(), in the order in which they were handed out; neighbours as one.
  PrivateVector<PageNumberRange> unmanaged();
  /// Forgets the pages of the range, their preferences too. Cores have lines of them in their caches. `gone`: when what
  /// those write back costs nothing any more; while other cores run, that is the quantum's end.
  enum class Gone : std::uint8_t { at_once, at_quantum_end };
  /// Any part of what was managed or adopted.
  void release(PageNumberRange range, Gone gone = Gone::at_once);
  /// Forgets unmanaged pages that are no longer mapped, if many new ones came since the last sweep.
  void sweep();

  /// Grows by one with every release; a core whose table is older asks for what it missed.
  std::uint64_t releases() const { return releases_.load(std::memory_order_acquire); }
  /// The ranges released since `seen`, which then counts them. False if they are not all remembered any more: drop the
  /// whole table.
  bool released_since(std::uint64_t& seen, PrivateVector<PageNumberRange>& out);

  /// From here on at most `count` further pages are told apart.
  void keep_ids(PageId count);

  /// The number of no page; its tier is no_tier.
  static constexpr PageId no_page = maximum_page_ids - 1;

  /// True once, after tiers ran full and the last one took pages beyond its capacity.
  bool overflowed() const { return overflowed_.load(std::memory_order_relaxed); }

 private:
  struct Page {
    PageId id = 0;
    bool pending = false;
    FirstTouch touch;
  };
  using Pages = PrivateHashMap<PageNumber, Page>;
  /// Pages that are looked for together: a leaf of the page table of x86-64.
  static constexpr PageNumber chunk = 512;

  /// Under the lock.
  PageId id_of(PageNumber page) const {
    const auto found = pages_.find(page);
    return found == pages_.end() ? no_page : found->second.id;
  }
  bool has_room(std::size_t tier) const { return node_->room(tier) > 0; }
  /// The first tier of the page's order, then of all, for which `open` says yes; else the last one.
  template <class Open>
  std::size_t choose(PageNumber page, Open open) const;
  const TierOrder& order_of(PageNumber page) const;
  /// A machine of which nothing is known but its tiers.
  static MachineDescription plain(const Topology& topology) {
    MachineDescription machine;
    machine.topology = topology;
    return machine;
  }
  bool is_scattered(PageNumber page, const FirstTouch& touch) const;
  void assign(PageNumber number, Page& page);
  void make_memory_cache(const Topology& topology);
  void give_frame(PageId id);
  void hand_out_locked();
  void let_go();
  void drop(Pages::iterator page, Gone gone);
  void release_locked(PageNumberRange range, Gone gone);
  bool managed(PageNumber page) const;
  void split_managed(PageNumber page);
  void unmanage(PageNumberRange range);
  PrivateVector<PageNumber> unmanaged_pages() const;
  void drop_names();
  static void find_unmapped(PageNumberRange run, PrivateVector<PageNumberRange>& out);

  std::mutex lock_;
  Pages pages_;
  PrivateHashMap<PageNumber, std::uint32_t> touched_in_chunk_;  ///< pages of pages_
  PrivateVector<PageNumber> pending_;
  Preferences preferences_;
  Scatter chance_;
  PrivateMap<PageNumber, PageNumber> managed_;  // first -> last
  std::size_t tier_count_;
  std::unique_ptr<PhysicalNode> node_;
  std::array<bool, maximum_tiers> open_at_start_{};  // had room when the quantum began
  std::uint64_t peak_ = 0;
  std::uint64_t unmanaged_touched_ = 0;  // since the last sweep
  std::uint64_t unmanaged_live_ = 0;
  TierOrder unmanaged_order_;                                          // empty: the default
  PrivateVector<std::pair<PageNumber, PageId>> unmanaged_handed_out_;  // in order; some may be gone
  std::uint64_t unmanaged_gone_ = 0;                                   // of these
  ByPageId<std::uint8_t> tiers_;
  PrivateVector<PageId> going_;  // released in this quantum
  PageId next_id_ = 0;
  PageId last_id_ = no_page - 1;  ///< all further pages have this one
  std::atomic<bool> overflowed_{false};
  std::atomic<std::uint64_t> releases_{0};
  PrivateDeque<PageNumberRange> released_;  // the last ones; the newest belongs to releases_
  TierLoad load_;
  LlcShares llc_shares_;
  PageWatch watch_;
  TlbFlushes flushes_;
  PageCountLog* log_ = nullptr;
  std::unique_ptr<MemoryCache> memory_cache_;
  std::optional<ByPageId<PhysicalFrame>> frames_;  // plus one
  std::uint64_t frames_given_ = 0;
  std::uint64_t frame_count_ = 0;
  FrameOrder frame_order_;
};

}  // namespace lbhm::emulator
