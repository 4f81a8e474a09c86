// From a plan to moved pages.
#include <algorithm>
#include <chrono>
#include <sstream>
#include <string>
#include <thread>

#include "runtime/migration/plan_in_parts.h"

namespace lbhm {
namespace {

std::string why(PageStatus status, unsigned tries) {
  switch (status) {
    case PageStatus::full:
      return "the tier is full and nothing outside the plan could leave it; allow more of it (--fast; on the host "
             "LBHM_FAST_CAPACITY) or "
             "manage fewer objects";
    case PageStatus::busy:
      return "the page was busy in " + std::to_string(tries) +
             " tries; plan when no I/O is under way on it, or unpin it";
    case PageStatus::denied:
      return "the system does not permit it; run with the right to move pages (CAP_SYS_NICE, or a container profile "
             "that allows move_pages)";
    case PageStatus::unmapped:
      return "no memory is mapped there; give LB_HM_config only objects that are still allocated";
    default:
      return "the machine gave no reason; please report this as a bug of LB-HM";
  }
}

/// One sentence about a page that was to go to `to` and did not, because of `status`; `tries`: how often it was asked.
std::string failure_sentence(const Topology& topology, std::uintptr_t page, TierId to, PageStatus status,
                             unsigned tries) {
  std::ostringstream text;
  text << "page 0x" << std::hex << page << std::dec << " could not move to tier " << unsigned{to.value};
  if (to.value < topology.tiers.size()) {
    text << " (" << topology.tiers[to.value].name << "): " << why(status, tries);
  } else {
    text << ": machine '" << topology.name << "' has only " << topology.tiers.size()
         << "; the policy must name one of them";
  }
  text << ".";
  return text.str();
}

/// Carries out one plan, or a part of it.
class Carrier {
 public:
  Carrier(Machine& machine, const MigrationOptions& options, migration::Units& units, migration::Evictor& evictor)
      : machine_(machine),
        options_(options),
        page_(machine.topology().page),
        end_(Clock::now() + options.most_time),
        units_(units),
        evictor_(evictor) {}

  /// Of so many pages the first batch is filled without asking for memory again and again.
  void expect(std::uint64_t pages) { batch_.reserve(std::min<std::uint64_t>(pages, options_.batch_pages)); }

  /// Takes a page on, and all that moves with it; moves the batch when it is complete. False: the time is over, and the
  /// page is not taken.
  bool add(std::uintptr_t page, TierId to) {
    if (late_) return false;
    const migration::MoveUnit unit = units_.take(page, to);
    if (unit.pages == 0) return true;
    if (!batch_.empty() && (to != to_ || batch_.size() >= options_.batch_pages)) {
      flush();
      late_ = options_.most_time.count() > 0 && Clock::now() >= end_;
    }
    if (late_) return false;
    to_ = to;
    for (std::uint64_t i = 0; i < unit.pages; ++i) batch_.push_back(unit.first + i * page_.value);
    return true;
  }

  /// Leaves `move` from its byte `at` on for later.
  void leave(const PageMove& move, Bytes at, MigrationPlan* left) {
    report_.left += move.bytes - at;
    if (left) left->moves.push_back({move.address + at.value, move.bytes - at, move.to});
  }

  /// Moves what was taken on.
  void flush() {
    if (to_.value >= machine_.topology().tiers.size()) {
      for (const std::uintptr_t page : batch_) fail(page, PageStatus::unmapped, 0);
      batch_.clear();
    }
    for (unsigned round = 0; !batch_.empty(); ++round) {
      if (round > 0 && waiting_) pause(round);
      move_once(round);
    }
  }

  const MoveReport& report() const { return report_; }

 private:
  /// Asks for the whole batch; what is worth another try stays in it, in order.
  void move_once(unsigned round) {
    status_.assign(batch_.size(), PageStatus::unmapped);
    machine_.move(batch_, to_, status_);
    if (options_.asked) (*options_.asked)(batch_);
    const bool last_round = round >= options_.retries;
    std::uint64_t room = make_room(round);

    waiting_ = false;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < batch_.size();) {
      const std::size_t end = units_.end(batch_, i);
      const bool fits_now = room > 0 && take_room(i, end, room);
      for (; i < end; ++i) {
        const bool may_wait = status_[i] == PageStatus::busy && !last_round;
        waiting_ = waiting_ || may_wait;
        if (may_wait || (fits_now && status_[i] == PageStatus::full)) {
          batch_[kept++] = batch_[i];
        } else {
          settle(batch_[i], status_[i], round + 1);
        }
      }
    }
    batch_.resize(kept);
  }

  /// Makes room for the pages that the machine called full. Returns how many of them may fit now. Room is made in the
  /// last round too, but then only what it was made for is asked for once more.
  std::uint64_t make_room(unsigned round) {
    const auto full = static_cast<std::uint64_t>(std::count(status_.begin(), status_.end(), PageStatus::full));
    if (full == 0 || round > options_.retries) return 0;
    // Huge pages leave room behind that is too small for them. Where it is no room after all, it counts only once.
    const std::uint64_t left = round == 0 && !units_.all_single() ? machine_.room(to_).value / page_.value : 0;
    return left + (full > left ? evictor_.make_room(to_, full - left, report_) : 0);
  }

  /// Takes room for what did not fit of one unit: for all of it, or for nothing.
  bool take_room(std::size_t first, std::size_t end, std::uint64_t& room) const {
    const auto at = [&](std::size_t i) { return status_.begin() + static_cast<std::ptrdiff_t>(i); };
    const auto wanted = static_cast<std::uint64_t>(std::count(at(first), at(end), PageStatus::full));
    if (wanted == 0 || wanted > room) return false;
    room -= wanted;
    return true;
  }

  void settle(std::uintptr_t page, PageStatus status, unsigned tries) {
    switch (status) {
      case PageStatus::moved:
        report_.moved += page_;
        return;
      case PageStatus::placed:
        report_.placed += page_;
        return;
      case PageStatus::already:
      case PageStatus::bound:  // nothing failed: it is where it is to be
        return;
      default:
        fail(page, status, tries);
    }
  }

  void fail(std::uintptr_t page, PageStatus status, unsigned tries) {
    if (!evictor_.in_plan(page)) return;  // it was to come along only
    report_.failed += page_;
    if (!report_.first_failure.empty()) return;
    report_.first_failure = failure_sentence(machine_.topology(), page, to_, status, tries);
  }

  /// Long enough for a transfer to end, too short to delay a region: 50 us, doubled, at most 1 ms.
  static void pause(unsigned round) {
    const unsigned doublings = std::min(round - 1, 5u);
    std::this_thread::sleep_for(std::min(std::chrono::microseconds(50u << doublings), std::chrono::microseconds(1000)));
  }

  using Clock = std::chrono::steady_clock;

  Machine& machine_;
  const MigrationOptions& options_;
  Bytes page_;
  Clock::time_point end_;
  bool late_ = false;
  migration::Units& units_;
  migration::Evictor& evictor_;
  std::vector<std::uintptr_t> batch_;
  TierId to_ = no_tier;
  std::vector<PageStatus> status_;
  bool waiting_ = false;
  MoveReport report_;
};

}  // namespace

MoveReport PlanInParts::carry_out(const MigrationPlan& part, MigrationPlan* left) {
  const Bytes page = machine_.topology().page;
  Carrier carrier(machine_, options_, units_, evictor_);
  Bytes all;
  for (const PageMove& move : part.moves) all += move.bytes;
  carrier.expect(all.value / page.value);
  for (const PageMove& move : part.moves) {
    Bytes at;
    while (at < move.bytes && carrier.add(move.address + at.value, move.to)) at += page;
    if (at < move.bytes) carrier.leave(move, at, left);
  }
  carrier.flush();
  return carrier.report();
}

MoveReport carry_out(Machine& machine, const MigrationPlan& plan, std::span<const EvictionCandidate> candidates,
                     const MigrationOptions& options, MigrationPlan* left) {
  if (plan.moves.empty() || machine.topology().page.value == 0) return {};
  return PlanInParts(machine, plan, {candidates.begin(), candidates.end()}, options).carry_out(plan, left);
}

}  // namespace lbhm
