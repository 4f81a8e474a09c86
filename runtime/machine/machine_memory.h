// The memory part of the machine contract (machine.h): where pages appear, where they are, how they move and what that
// costs.
//
// Contract:
//   - Tiers are numbered from the fastest (0) to the slowest; there is at least one.
//   - A page is in one tier, or in none until somebody touches it.
//   - Every call may come from any thread at any time.
//   - Nothing throws. A call that cannot be carried out says so and leaves everything as it was.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/machine/topology.h"

namespace lbhm {

/// What happened to one page of a move.
enum class PageStatus : std::uint8_t {
  moved,     ///< copied to the tier asked for
  placed,    ///< not touched yet; it will appear there
  already,   ///< was there
  full,      ///< no room in that tier (ENOMEM)
  busy,      ///< pinned or under I/O; may work later (EBUSY)
  denied,    ///< not permitted (EPERM)
  unmapped,  ///< no such page (EFAULT, ENOENT)
  bound,     ///< the program or its user has said where it is, and there it stays
};

class MachineMemory {
 public:
  virtual ~MachineMemory() = default;

  virtual const Topology& topology() const = 0;

  /// Maps `bytes` (rounded up to pages) of zeroed memory for an object, aligned to `alignment` (a power of two).
  /// Errors: no_memory.
  virtual Result<void*> reserve(Bytes bytes, Bytes alignment) = 0;
  /// The same for a lane of a region, in virtual time: where it lies hangs on what this lane asked for, and not on
  /// which lane came first. Errors: no_memory, also if the machine has no addresses left for the lane.
  virtual Result<void*> reserve_for_lane(Bytes bytes, Bytes alignment, LaneId /*lane*/) {
    return reserve(bytes, alignment);
  }
  /// The same behind `front` more bytes, whole pages and a multiple of the alignment, that are mapped and never placed.
  /// Returns what is behind them; release() of both together gives them back.
  virtual Result<void*> reserve_behind(Bytes front, Bytes bytes, Bytes alignment, std::optional<LaneId> lane) {
    const Bytes both = front + bytes;
    auto memory = lane ? reserve_for_lane(both, alignment, *lane) : reserve(both, alignment);
    if (!memory || front.value == 0) return memory;
    disown(reinterpret_cast<std::uintptr_t>(*memory), front);
    return static_cast<char*>(*memory) + front.value;
  }
  /// Gives back what reserve returned; its pages leave their tiers.
  virtual void release(void* address, Bytes bytes) = 0;
  /// Whole pages that the program has by itself (globals) are placed like those of reserve from now on. They stay where
  /// they are; those that nobody has touched yet appear as the preferences say.
  virtual void adopt(std::uintptr_t /*address*/, Bytes /*bytes*/) {}
  /// Whole pages of what was reserved or adopted are no more: the program, or the loader for it, gave them back to the
  /// system, or is about to. The machine forgets them and leaves the mapping alone.
  virtual void disown(std::uintptr_t /*address*/, Bytes /*bytes*/) {}

  /// The program says itself where whole pages of this range are (mbind(2), move_pages(2)): from now on nothing here
  /// moves them or prefers a tier for them. `bound` false: it takes that back.
  virtual void bind(std::uintptr_t /*address*/, Bytes /*bytes*/, bool /*bound*/) {}
  /// A thread of the program has a policy of its own (set_mempolicy(2)): all that is placed so far counts as bound, and
  /// so does what such a thread asks for from now on.
  virtual void bind_by_threads() {}
  /// The calling thread is one of these.
  virtual bool thread_binds() { return false; }
  /// So much of the range is bound.
  virtual Bytes bound(std::uintptr_t /*address*/, Bytes /*bytes*/) { return Bytes(0); }

  /// A block that is no object, in that tier, aligned to 16 and not zeroed; for many small ones. Null: none there, or
  /// this machine does not divide its tiers into blocks.
  virtual void* allocate_block(Bytes /*bytes*/, TierId /*tier*/) { return nullptr; }
  /// Gives back what allocate_block returned; `bytes` as they were asked for.
  virtual void release_block(void* /*block*/, Bytes /*bytes*/) {}

  /// Pages of the range that are touched from now on go to the first tier of `order` with room.
  /// Tiers that are not listed are used only when all listed ones are full.
  virtual Status prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) = 0;
  /// The same for all memory without a preference of its own; on a real machine for what reserve gives.
  virtual Status prefer_default(std::span<const TierId> order) = 0;
  /// The same for unmanaged pages alone. Errors: invalid_argument, unavailable (this machine does not place them).
  virtual Status prefer_unmanaged(std::span<const TierId> /*order*/) {
    return {StatusCode::unavailable, "prefer_unmanaged: machine " + topology().name +
                                         " leaves pages that LB-HM did not map where the system puts them"};
  }
  /// Of the pages without a preference of their own that are touched from now on (on a real machine: that reserve gives
  /// or that are adopted), the share `fast` (0 to 1) goes to tier 0 instead, all others as prefer_default says. Chance
  /// decides, the same in every run with this seed; a page in tier 0 at one share is there at every larger one.
  /// Errors: unavailable (this machine does not choose for pages).
  virtual Status scatter(double /*fast*/, std::uint64_t /*seed*/) {
    return {StatusCode::unavailable,
            "policy scatter: machine " + topology().name +
                " has one memory, so there is nothing to choose; use a machine with two, or an emulated one"};
  }

  /// The program's pages that are in a tier and that reserve did not give: heap, globals, stacks. In the order of their
  /// first touch, neighbours as one. where and move know them. Empty: this machine does not know them.
  virtual std::vector<PageRange> unmanaged() { return {}; }

  /// The parts of a range in which pages may have been touched, in order; in the rest none was. It costs little,
  /// however large the range is: programs ask for gigabytes and use megabytes of them. Asking changes nothing. All of
  /// it: this machine does not know.
  virtual std::vector<PageRange> touched(PageRange range) { return {range}; }
  /// The tier of each page (no_tier: not touched yet). `pages` and `out` have one length.
  virtual void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) = 0;
  /// The same for somebody who only watches: in virtual time asking changes nothing, and a page whose tier is yet to be
  /// decided may be in none.
  virtual void glance(std::span<const std::uintptr_t> pages, std::span<TierId> out) { where(pages, out); }
  /// Moves pages; status by page. Costs the calling thread the time that the copies take. What moves whole does so
  /// when one of its pages is named, and needs room for all of them.
  virtual void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) = 0;
  /// What a move of so many bytes costs whoever calls it, without the wait for others who use the same memories. 0: the
  /// tiers are one, or nobody knows their bandwidths. The emulated machine says what move() charges; a host with
  /// several tiers how fast moves to `to` have been; before its first moves it says as all others do that a copy
  /// is as fast as the slower of reading `from` and writing `to`.
  virtual Nanoseconds move_time(Bytes bytes, TierId from, TierId to) const {
    const std::vector<Tier>& tiers = topology().tiers;
    if (from == to || from.value >= tiers.size() || to.value >= tiers.size()) return {};
    const double slower = std::min(tiers[from.value].read_bandwidth.value, tiers[to.value].write_bandwidth.value);
    return slower > 0 ? Nanoseconds(static_cast<double>(bytes.value) / slower) : Nanoseconds{};
  }
  /// Pages may be bound together in blocks of so many bytes, aligned to them (huge pages). A page: none ever are.
  virtual Bytes largest_unit() { return topology().page; }
  /// True if the pages of the block of largest_unit() bytes around `address` move only together.
  virtual bool moves_whole(std::uintptr_t /*address*/) { return false; }
  /// What is left of a tier.
  virtual Bytes room(TierId tier) = 0;
  /// The most memory that was in all tiers at one time.
  virtual Bytes peak_footprint() = 0;
};

}  // namespace lbhm
