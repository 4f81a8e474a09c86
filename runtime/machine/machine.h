// The machine contract: everything the runtime asks of the operating system and the hardware.
//
// Implementations: the host with one tier or several (runtime/machine/), the emulated machine (emulator/), the fake
// machine of the tests.
//
// Contract:
//   - Tiers are numbered from the fastest (0) to the slowest; there is at least one.
//   - A page is in one tier, or in none until somebody touches it.
//   - Memory calls (reserve, release, prefer, where, move) may come from any thread at any time.
//   - Execution calls come from the thread that they speak of, in the order fork, lane_begin, (wait_begin, wait_end)*,
//     wait_begin(join), join; join on the forking thread only.
//   - Nothing throws. A call that cannot be carried out says so and leaves everything as it was.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

struct Tier {
  std::string name;
  Bytes capacity;                     ///< what we may use of it
  Nanoseconds latency_sequential;     ///< idle, neighbouring lines
  Nanoseconds latency_random;         ///< idle, unrelated lines
  BytesPerNanosecond read_bandwidth;  ///< of all threads together
  BytesPerNanosecond write_bandwidth;
};

struct Topology {
  std::string name;         ///< "optane", "host", ...
  std::string description;  ///< one sentence
  std::vector<Tier> tiers;  ///< fastest first
  Bytes page{4096};
  Bytes line{64};
  double cycles_per_nanosecond = 1;  ///< turns cycle events into time
  std::uint32_t hardware_threads = 1;
  /// 16 hexadecimal digits, others for every machine that behaves otherwise; empty: there is none. A model trained on a
  /// machine is for machines with its fingerprint.
  std::string fingerprint{};
};

/// What happened to one page of a move.
enum class PageStatus : std::uint8_t {
  moved,     ///< copied to the tier asked for
  placed,    ///< not touched yet; it will appear there
  already,   ///< was there
  full,      ///< no room in that tier (ENOMEM)
  busy,      ///< pinned or under I/O; may work later (EBUSY)
  denied,    ///< not permitted (EPERM)
  unmapped,  ///< no such page (EFAULT, ENOENT)
};

/// Why a thread waits. In each case it stops using the processor until wait_end.
enum class Wait : std::uint8_t { barrier, join, mutex, tasks };

/// Names a lane in sleep and wake; null where nobody sleeps.
using LaneName = void*;

/// What the machine is told of the program's threads, and the clock that it keeps for them.
/// On a real machine most calls do nothing; on the emulated one they move virtual time.
class Execution {
 public:
  virtual ~Execution() = default;
  /// The calling thread is about to start a team. Returns the team's number.
  virtual std::uint64_t fork() = 0;
  /// The calling thread is lane `lane` of `size` in `team` from now on.
  virtual void lane_begin(std::uint64_t team, LaneId lane, std::uint32_t size) = 0;
  /// The calling thread stops to wait; when this returns its clock shows when it stopped. True: the wait is not over,
  /// the lane is called out of the barrier to execute explicit tasks; say wait_end, do so, and say wait_begin again.
  /// In virtual time a wait for a mutex ends here, with the mutex.
  virtual bool wait_begin(Wait kind, const void* what) = 0;
  /// The wait is over. `what` names the mutex, if it is one.
  virtual void wait_end(Wait kind, const void* what) = 0;
  /// The calling thread lets go of the mutex.
  virtual void mutex_released(const void* mutex) = 0;
  /// Takes the mutex if nobody has it. In real time always true: then the mutex itself decides.
  virtual bool try_mutex(const void* mutex) = 0;
  /// The forking thread goes on alone.
  virtual void join(std::uint64_t team) = 0;

  // The order of what lanes do to data that they share. In real time these calls do nothing.

  /// Between these two calls no other lane is inside the same pair; lanes enter in the order of (clock, lane).
  virtual void ordered_begin() = 0;
  virtual void ordered_end() = 0;
  /// Inside the pair: leaves it and sleeps until another lane wakes this one. It may return early: look again.
  virtual void sleep() = 0;
  /// What others call the calling lane; null if no order holds it.
  virtual LaneName name() = 0;
  /// Inside the pair: the lane goes on at the caller's clock, if it sleeps.
  virtual void wake(LaneName lane) = 0;
  /// Inside the pair: so many explicit tasks more of the team can begin, and so many more are unfinished.
  /// A barrier of the team ends when none is unfinished, and lanes that wait there are called for those that can begin.
  virtual void tasks_changed(std::uint64_t team, int ready, int unfinished) = 0;
  /// Stops and continues the clock, the samples and the events of all threads (omp_control_tool pause and start).
  virtual void measure(bool on) = 0;
  /// True if this machine keeps its own time: then it must be told of every wait, mutexes and tasks included.
  virtual bool virtual_time() const = 0;
  /// Time passes for the calling thread without work: it sleeps, or reads a clock. Real machines do that themselves.
  virtual void pass(Nanoseconds) {}
  /// The calling thread's clock. Never runs backwards.
  virtual Nanoseconds now() = 0;
};

/// Where access samples come from.
class SampleSource {
 public:
  virtual ~SampleSource() = default;
  /// One sample stands for this many accesses.
  virtual AccessCount period() const = 0;
  /// Moves all samples since the last call to the end of `out`, in the order of (lane, time).
  /// Called while no lane runs. Returns how many samples were lost.
  virtual std::uint64_t drain(std::vector<AccessSample>& out) = 0;
  /// One access in `period` is sampled from now on; 0: none, which costs nothing. Called while no lane runs.
  virtual void set_period(AccessCount /*period*/) {}
};

/// The first access to a page since it was armed.
struct HintFault {
  std::uintptr_t page = 0;  ///< its first address
  LaneId lane;
  bool write = false;
  Nanoseconds time;  ///< on the clock of the machine
};

/// What policies can learn of pages without samples, as the page tables and the operating system offer it. Pages that
/// are not mapped are passed over.
class PageObserver {
 public:
  virtual ~PageObserver() = default;
  /// out[i]: was pages[i] accessed since its bit was last cleared? Then clears the bits, if asked to. Accesses through
  /// a translation that a TLB still holds from before may go unseen: on the emulated machine those of the quantum in
  /// which the bit was cleared. Costs the caller the time of the scan. `pages` and `out` have one length.
  virtual void scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) = 0;
  /// False: arm_hint_faults does nothing here.
  virtual bool sees_hint_faults() const { return true; }
  /// The next access to each of the pages is a hint fault: it costs whoever does it time, and is recorded once.
  virtual void arm_hint_faults(std::span<const std::uintptr_t> pages) = 0;
  /// Moves all records since the last call to the end of `out`, in the order of (time, lane).
  virtual void drain_hint_faults(std::vector<HintFault>& out) = 0;
};

/// What Machine::every takes: above 0 (a picosecond at least) and below 100 days.
constexpr bool is_interval(Nanoseconds interval) { return interval.value >= 1e-3 && interval.value <= 8.64e15; }

/// What one lane did between two points at which it waited for the others; equal labels are added up.
struct CountedInterval {
  static constexpr std::uint32_t no_region = ~std::uint32_t{0};  ///< the initial thread, outside of teams

  std::uint32_t epoch = 0;           ///< calls of LB_HM_config so far
  std::uint32_t region = no_region;  ///< number of the parallel construct
  std::uint32_t phase = 0;           ///< barriers of this instance that the lane has passed
  LaneId lane{};
  Nanoseconds time{};  ///< at work
};

/// Exact counts by page, for the oracle: emulated machines only, when they were asked for.
class PageCounts {
 public:
  virtual ~PageCounts() = default;
  /// All that the calling thread did since its last call belongs to this interval.
  virtual void end_interval(const CountedInterval& interval) = 0;
  /// Nothing more will come. Errors: unavailable.
  virtual Status save() = 0;
};

class Machine {
 public:
  virtual ~Machine() = default;

  virtual const Topology& topology() const = 0;

  /// Maps `bytes` (rounded up to pages) of zeroed memory for an object, aligned to `alignment` (a power of two).
  /// Errors: no_memory.
  virtual Result<void*> reserve(Bytes bytes, Bytes alignment) = 0;
  /// Gives back what reserve returned; its pages leave their tiers.
  virtual void release(void* address, Bytes bytes) = 0;

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
  /// Of the pages without a preference of their own that are touched from now on, the share `fast` (0 to 1) goes to
  /// tier 0 instead, all others as prefer_default says. Chance decides, the same in every run with this seed; a page in
  /// tier 0 at one share is there at every larger one. Errors: unavailable (this machine does not choose for pages).
  virtual Status scatter(double /*fast*/, std::uint64_t /*seed*/) {
    return {StatusCode::unavailable,
            "policy scatter: machine " + topology().name + " cannot choose pages by chance; use an emulated machine"};
  }

  /// The tier of each page (no_tier: not touched yet). `pages` and `out` have one length.
  virtual void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) = 0;
  /// Moves pages; status by page. Costs the calling thread the time that the copies take. What moves whole does so
  /// when one of its pages is named, and needs room for all of them.
  virtual void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) = 0;
  /// Pages may be bound together in blocks of so many bytes, aligned to them (huge pages). A page: none ever are.
  virtual Bytes largest_unit() { return topology().page; }
  /// True if the pages of the block of largest_unit() bytes around `address` move only together.
  virtual bool moves_whole(std::uintptr_t /*address*/) { return false; }
  /// What is left of a tier.
  virtual Bytes room(TierId tier) = 0;
  /// The most memory that was in all tiers at one time.
  virtual Bytes peak_footprint() = 0;

  virtual Execution& execution() = 0;
  /// Null if the machine cannot sample.
  virtual SampleSource* samples() = 0;
  /// Null if the machine cannot watch pages.
  virtual PageObserver* observer() { return nullptr; }
  /// Null if nobody asked for exact counts.
  virtual PageCounts* page_counts() { return nullptr; }
  /// From now on until the machine's end: `duty` runs once after each interval, on a thread of the machine; several
  /// duties never at once. It may call the memory calls, the sources of samples and pages, and Execution's now and
  /// pass; it must neither throw nor wait for a thread of the program. In virtual time it runs when the first quantum
  /// closes after each interval (a shorter interval is a quantum then), on a core outside all teams that its calls
  /// cost time. Errors: invalid_argument (no interval, no duty), unavailable.
  virtual Status every(Nanoseconds interval, std::function<void()> duty) = 0;
  /// Events of the calling thread since it was created.
  virtual EventCounts events() = 0;
  /// Events of all threads together since the machine began; for duties, which run while no lane does. Nothing: the
  /// machine cannot count them.
  virtual std::optional<EventCounts> all_events() { return std::nullopt; }
  /// Accesses of the calling thread since it was created, by tier; empty if the machine cannot count them.
  virtual std::vector<AccessCount> accesses() = 0;
  /// Empty when all is well; otherwise sentences for the report ("the program was not built with the plugin ...").
  virtual std::vector<std::string> remarks() = 0;
};

/// The host as it is: one tier, nothing to place; lanes are timed by the time-stamp counter.
std::unique_ptr<Machine> make_host_machine(std::vector<std::string> remarks = {});

}  // namespace lbhm
