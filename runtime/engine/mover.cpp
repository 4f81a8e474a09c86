#include "runtime/engine/mover.h"

#include <algorithm>
#include <utility>

#include "lbhm/migration.h"

namespace lbhm::engine {
namespace {

/// About as long as copying a batch takes (0.6 us a page, docs/emulator.md), so that the thread is busy and the other
/// cores are seldom interrupted.
constexpr Nanoseconds interval(50'000);
constexpr std::uint64_t batch_pages = 64;

}  // namespace

Status Mover::start(Machine& machine) {
  return machine.every(interval, [this, &machine] { tick(machine); });
}

void Mover::replace(MigrationPlan plan) {
  const std::lock_guard lock(mutex_);
  plan_ = std::move(plan);
  next_ = 0;
  taken_ = Bytes(0);
}

MigrationPlan Mover::next_batch(Bytes page) {
  const std::lock_guard lock(mutex_);
  MigrationPlan batch;
  for (Bytes left = page * batch_pages; left.value > 0 && next_ < plan_.moves.size();) {
    const PageMove& move = plan_.moves[next_];
    const Bytes bytes = std::min(left, move.bytes - taken_);
    batch.moves.push_back({move.address + taken_.value, bytes, move.to});
    left -= bytes;
    taken_ += bytes;
    if (taken_ < move.bytes) continue;
    ++next_;
    taken_ = Bytes(0);
  }
  return batch;
}

void Mover::tick(Machine& machine) {
  const MigrationPlan batch = next_batch(machine.topology().page);
  if (batch.moves.empty()) return;
  moved_.fetch_add(carry_out(machine, batch, {}).moved.value, std::memory_order_relaxed);
}

}  // namespace lbhm::engine
