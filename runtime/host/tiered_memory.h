// Memory of a computer with several tiers: where it appears, where it is, how it moves, how much is left.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "runtime/base/chance.h"
#include "runtime/base/range_map.h"
#include "runtime/host/capacity.h"
#include "runtime/host/ledger.h"
#include "runtime/host/memory_calls.h"
#include "runtime/host/memory_nodes.h"
#include "runtime/host/page_mover.h"
#include "runtime/host/sampling/samplers.h"
#include "runtime/host/tier_account.h"
#include "runtime/host/tiers.h"
#include "runtime/machine/machine.h"

namespace lbhm::host {

enum class HugePages : std::uint8_t { kernel, on, off };

struct TieredMemoryOptions {
  std::vector<MemoryNode> nodes;
  std::vector<HostTier> tiers;  ///< their capacities are what we may use
  Spread spread = Spread::nearest;
  HugePages huge_pages = HugePages::kernel;
  std::string root = "/";  ///< of /sys and /proc
  PageMoverOptions mover{};
  std::chrono::milliseconds room_counts_for{10};
  std::unique_ptr<Ledger> ledger;
  /// Tests put another one in its place.
  std::function<Status(std::uintptr_t, Bytes, std::span<const int>, Spread)> place = place_on;
};

/// The memory part of the contract in machine.h, word for word. The last tier has no limit but the kernel's.
/// What is promised to memory that is not touched yet counts as used: room that two objects are promised is not there.
class TieredMemory {
 public:
  explicit TieredMemory(TieredMemoryOptions options);

  /// `front`: of reserve_behind.
  Result<void*> reserve(Bytes bytes, Bytes alignment, Bytes front = {});
  void release(void* address, Bytes bytes);
  void adopt(std::uintptr_t address, Bytes bytes);
  void disown(std::uintptr_t address, Bytes bytes);
  /// As in the contract; of what nobody placed here nothing is kept.
  void bind(std::uintptr_t address, Bytes bytes, bool bound);
  void bind_by_threads();
  bool thread_binds() const;
  Bytes bound(std::uintptr_t address, Bytes bytes) const;
  Status prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order);
  /// Of what reserve gives from now on; other memory of the program is the kernel's affair.
  void prefer_default(std::span<const TierId> order);
  /// Of what reserve gives and adopt takes from now on, page by page in that order.
  void scatter(const Scatter& chance);
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out);
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out);
  /// How fast pages came into a tier so far; nothing before a MiB did.
  std::optional<BytesPerNanosecond> copy_bandwidth(TierId to) const;
  Bytes largest_unit() const { return huge_possible_ ? huge_page : Bytes(page_); }
  /// Asks the kernel, which does not say it outright (tiered_moves.cpp): true also for 2 MiB of small pages on one node
  /// where the settings would give huge ones.
  bool moves_whole(std::uintptr_t address);
  /// As it was at most options.room_counts_for ago, less what was handed out since.
  Bytes room(TierId tier);
  /// Addresses for the blocks of a tier: pages appear there, where there is room. Nothing is promised yet. They stay.
  /// Errors: no_memory.
  Result<void*> reserve_for_blocks(Bytes bytes, Bytes alignment, TierId tier);
  /// Counts this part of such addresses as used. False: there is no room in the tier.
  bool promise(std::uintptr_t begin, Bytes bytes, TierId tier);
  /// What reserve gave and release did not take back, by address. What adopt took is not among it.
  std::vector<ManagedRange> reserved() const;

  /// What did not work, each once.
  std::vector<std::string> remarks() const;

 private:
  using Range = std::pair<std::uintptr_t, std::uintptr_t>;
  using Ranges = RangeMap<std::monostate>;
  /// Of a call, the pages from `first` to before `end`: of one huge page, which moves whole, or each for itself.
  struct Stretch {
    std::size_t first = 0, end = 0;
    bool whole = false;
  };
  /// What may go to a tier.
  struct Admission {
    Bytes taken;              ///< of the tier's room
    std::vector<bool> pages;  ///< empty: all of them
  };

  TierId tier_of(int node) const;
  Bytes take(TierId tier, Bytes wanted);
  Bytes left_of(TierId tier);  ///< room, under lock_
  Bytes read_room(TierId tier);
  /// Under lock_. Null, with errno: there is no memory.
  void* map(Bytes bytes, Bytes alignment, int flags = 0, Bytes front = {});
  void settle();
  /// Under lock_. Where pages appear that nobody has a preference of their own for.
  Status place_new(Range range);
  /// Under lock_:
  void begin_managed(Range range, Ranges& ranges);
  void end_managed(Range range);
  std::vector<Range> managed_of(Range range) const;
  void mark(Range range, bool bound);
  std::vector<Range> free_of(Range range) const;
  std::vector<bool> free_among(std::span<const std::uintptr_t> pages);
  void move_free(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out);
  Status prefer_untouched(Range range, std::span<const TierId> order);
  Status appear(Range range, TierId tier);
  /// Stretches of the range by the nodes that hold them; no_node: untouched.
  std::vector<std::pair<Range, int>> nodes_of(Range range);
  std::vector<Range> untouched_of(Range range);
  std::vector<int> targets(TierId to, int from) const;
  void move_by_origin(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out);
  void place_untouched(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out);
  void enter(std::span<const std::uintptr_t> pages, TierId tier, std::span<const PageStatus> status);
  Admission admit(std::span<const std::uintptr_t> pages, std::span<const Stretch> stretches, TierId to);
  void carry(std::span<const std::uintptr_t> pages, TierId to, Bytes taken, std::span<PageStatus> out);
  std::vector<Stretch> stretches_of(std::span<const std::uintptr_t> pages);
  std::uint64_t missing_of(std::span<const std::uintptr_t> pages, bool whole, TierId to) const;
  bool may_be_huge(std::uintptr_t address) const;
  void note_company(std::span<const std::uintptr_t> pages, TierId to, std::span<const PageStatus> status);
  Status once(Status status);
  void advise(void* address, Bytes bytes, int advice);

  TieredMemoryOptions options_;
  Sysfs sysfs_;
  std::uint64_t page_;
  bool always_huge_, huge_possible_;  ///< as the kernel was set when we began
  std::vector<TierId> tier_of_node_;
  PageMover mover_;
  std::vector<TierId> default_order_;
  std::optional<Scatter> chance_;
  std::vector<TierId> lucky_order_;  ///< of pages that chance chose
  std::uint64_t drawn_ = 0;          ///< pages that it was asked for

  mutable std::mutex lock_;  ///< of what follows
  TierAccount account_;
  std::vector<TierRoom> rooms_;
  Ranges reserved_, adopted_;
  /// What is mapped in front of reserved ones. It appears where their first page does: the kernel keeps a mapping for
  /// each place, and neighbours of one place as one (vm.max_map_count).
  std::map<std::uintptr_t, Bytes> fronts_;
  // What the program and its user have said themselves (bound_memory.cpp):
  const ThreadPolicy own_policy_;     ///< of the process when we began
  std::atomic<bool> threads_choose_;  ///< some thread may have another one
  TierAccount bound_;                 ///< what is bound is in "tier" 0
  std::set<std::uintptr_t> fresh_;    ///< managed ranges of which all untouched pages are ours to place
  Bytes ever_bound_;
  struct Copies {
    Bytes bytes;
    Nanoseconds time;
  };
  std::vector<Copies> copies_;  ///< by the tier that they went to
  Ledger::Amounts pending_{};   ///< taken for moves under way
  bool complained_ = false;
  std::vector<std::string> remarks_;
  std::size_t unmanaged_ = 0;  ///< objects that got no memory
  int mmap_error_ = 0, advice_error_ = 0;
};

}  // namespace lbhm::host
