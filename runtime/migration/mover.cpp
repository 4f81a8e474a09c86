#include "runtime/migration/mover.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "runtime/migration/plan_in_parts.h"

namespace lbhm {
namespace {

struct Stride {
  Nanoseconds interval;
  std::uint64_t pages;
};

/// In virtual time an interval is about as long as copying a batch takes (0.6 us a page, docs/emulator.md), so that the
/// thread is busy and the other cores are seldom interrupted.
constexpr Stride in_virtual_time{Nanoseconds(50'000), 64};
/// In real time single calls are dear and batches of thousands cheap (bench/run migration). While the kernel moves a
/// batch, threads that map memory or touch its pages wait: about a millisecond, and after it most of the interval is
/// theirs. (Both numbers are assumptions.)
constexpr Stride in_real_time{Nanoseconds(5e6), 1024};

void add(MoveReport& sum, MoveReport part) {
  sum.moved += part.moved;
  sum.evicted += part.evicted;
  sum.placed += part.placed;
  sum.failed += part.failed;
  if (sum.first_failure.empty()) sum.first_failure = std::move(part.first_failure);
}

}  // namespace

/// The plan does not change; the rest is of the thread that moves.
struct Mover::Job {
  const MigrationPlan plan;
  std::vector<EvictionCandidate> candidates;  ///< until it begins
  std::unique_ptr<PlanInParts> begun{};       ///< where there are candidates
};

Status Mover::start(Machine& machine, std::function<void(std::span<const std::uintptr_t>)> asked) {
  asked_ = std::move(asked);
  const Stride& stride = machine.execution().virtual_time() ? in_virtual_time : in_real_time;
  batch_pages_ = stride.pages;
  return machine.every(stride.interval, [this, &machine] { tick(machine); });
}

void Mover::replace(MigrationPlan plan, std::vector<EvictionCandidate> candidates) {
  auto job = std::make_shared<Job>(std::move(plan), std::move(candidates));
  const std::lock_guard lock(mutex_);
  report_.forgotten += waiting();
  job_ = std::move(job);
  next_ = 0;
  taken_ = Bytes(0);
  report_.planned += waiting();
}

BackgroundReport Mover::report() const {
  const std::lock_guard lock(mutex_);
  BackgroundReport report = report_;
  report.moves.left = waiting();
  return report;
}

Bytes Mover::waiting() const {
  if (!job_) return Bytes(0);
  Bytes bytes;
  for (std::size_t i = next_; i < job_->plan.moves.size(); ++i) bytes += job_->plan.moves[i].bytes;
  return bytes - taken_;
}

MigrationPlan Mover::next_batch(Bytes bytes) {
  MigrationPlan batch;
  for (Bytes left = bytes; left.value > 0 && job_ && next_ < job_->plan.moves.size();) {
    const PageMove& move = job_->plan.moves[next_];
    const Bytes part = std::min(left, move.bytes - taken_);
    batch.moves.push_back({move.address + taken_.value, part, move.to});
    left -= part;
    taken_ += part;
    if (taken_ < move.bytes) continue;
    ++next_;
    taken_ = Bytes(0);
  }
  return batch;
}

void Mover::tick(Machine& machine) {
  std::shared_ptr<Job> job;
  MigrationPlan batch;
  {
    const std::lock_guard lock(mutex_);
    batch = next_batch(machine.topology().page * batch_pages_);
    job = job_;  // stays alive when a newer one comes
  }
  if (batch.moves.empty()) return;
  const MigrationOptions options{.asked = asked_ ? &asked_ : nullptr};
  if (!job->candidates.empty())
    job->begun = std::make_unique<PlanInParts>(machine, job->plan, std::exchange(job->candidates, {}), options);
  MoveReport moves = job->begun ? job->begun->carry_out(batch) : carry_out(machine, batch, {}, options);
  const std::lock_guard lock(mutex_);
  add(report_.moves, std::move(moves));
}

}  // namespace lbhm
