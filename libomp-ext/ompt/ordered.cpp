// Iterations that wait for earlier ones: ordered constructs and doacross loops.
//
// libomp waits in a loop that looks at memory, in which a thread of virtual time would keep all others from going on.
// So the lane waits here until the earlier iterations are through; libomp then finds nothing to wait for.
#include "libomp-ext/ompt/ordered.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "lbhm/engine.h"
#include "libomp-ext/tasks/scheduler.h"

namespace lbhm::tasks {

/// A dimension of a doacross loop (kmp_dim).
struct Dimension {
  std::int64_t lower;
  std::int64_t upper;
  std::int64_t stride;

  bool holds(std::int64_t index) const {
    return stride > 0 ? index >= lower && index <= upper : index <= lower && index >= upper;
  }
};

struct OrderedLoop {
  std::int64_t lower = 0;
  std::int64_t stride = 1;
  std::int64_t next = 0;  // ordered: number of the first iteration that is not through
  std::pmr::vector<Dimension> dimensions{&private_memory()};                // doacross
  std::pmr::set<std::pmr::vector<std::int64_t>> posted{&private_memory()};  // doacross
  std::pmr::vector<LaneName> asleep{&private_memory()};
  std::uint32_t lanes_left = 0;
};

}  // namespace lbhm::tasks

namespace lbhm::openmp {
namespace {

using tasks::Lane;
using tasks::OrderedLoop;
using tasks::Thread;

struct Loops {
  std::mutex lock;
  std::pmr::map<std::pair<const tasks::Team*, std::uint64_t>, OrderedLoop> by_team{&tasks::private_memory()};
};

Loops& loops() {
  static Loops& all = *new (tasks::private_memory().allocate(sizeof(Loops), alignof(Loops))) Loops;
  return all;
}

/// The lane, if it is in such a loop.
Lane* lane_in_loop() {
  Lane* lane = tasks::lane();
  return lane != nullptr && lane->place.loop != nullptr ? lane : nullptr;
}

/// All lanes meet the loops of a team in the same order, so a loop is known by how many came before it.
OrderedLoop& enter(Lane& lane) {
  lane.place.number = lane.place.met++;
  OrderedLoop& loop = loops().by_team[{lane.team, lane.place.number}];
  loop.lanes_left = loop.lanes_left == 0 ? lane.team->size : loop.lanes_left;
  lane.place.loop = &loop;
  return loop;
}

void leave(Lane& lane) {
  const std::lock_guard guard(loops().lock);
  if (--lane.place.loop->lanes_left == 0) loops().by_team.erase({lane.team, lane.place.number});
  lane.place.loop = nullptr;
}

template <class Done>
void sleep_until(OrderedLoop& loop, Done done) {
  for (;;) {
    engine::ordered_begin();
    {
      const std::lock_guard guard(loops().lock);
      if (done()) break;
      loop.asleep.push_back(engine::lane_name());
    }
    engine::sleep();
    std::this_thread::yield();
  }
  engine::ordered_end();
}

/// Changes the loop and wakes all who sleep: they look for themselves.
template <class Change>
void change(OrderedLoop& loop, Change how) {
  engine::ordered_begin();
  {
    const std::lock_guard guard(loops().lock);
    how();
    for (const LaneName lane : loop.asleep) {
      if (lane != nullptr) engine::wake(lane);
    }
    loop.asleep.clear();
  }
  engine::ordered_end();
}

void await_own_turn(const Lane& lane) {
  OrderedLoop& loop = *lane.place.loop;
  sleep_until(loop, [&] { return loop.next >= lane.place.iteration; });
}

void pass_on(Lane& lane) {
  OrderedLoop& loop = *lane.place.loop;
  change(loop, [&] { loop.next = std::max(loop.next, lane.place.iteration + 1); });
  lane.place.passed_on = true;
}

bool is_ordered(std::int32_t schedule) {
  constexpr std::int32_t modifiers = (1 << 29) | (1 << 30);
  const std::int32_t kind = schedule & ~modifiers;  // enum sched_type of kmp.h: ordered from 64, unmerged from 192
  return (kind > 64 && kind < 72) || (kind > 192 && kind < 200);
}

std::pmr::vector<std::int64_t> iteration(const OrderedLoop& loop, const std::int64_t* indices) {
  return {indices, indices + loop.dimensions.size(), &tasks::private_memory()};
}

}  // namespace

void loop_begins(std::int32_t schedule, std::int64_t lower, std::int64_t stride) {
  Lane* lane = is_ordered(schedule) ? tasks::lane() : nullptr;
  if (lane == nullptr) return;
  const std::lock_guard guard(loops().lock);
  OrderedLoop& loop = enter(*lane);
  loop.lower = lower;
  loop.stride = stride == 0 ? 1 : stride;
}

void chunk_begins(std::int64_t first) {
  Lane* lane = lane_in_loop();
  if (lane == nullptr) return;
  lane->place.iteration = (first - lane->place.loop->lower) / lane->place.loop->stride;
  lane->place.passed_on = false;
}

void loop_ends() {
  Lane* lane = lane_in_loop();
  if (lane != nullptr && lane->place.loop->dimensions.empty()) leave(*lane);
}

void iteration_ends() {
  const Lane* lane = lane_in_loop();
  if (lane != nullptr && !lane->place.passed_on) await_own_turn(*lane);
}

void iteration_ended() {
  Lane* lane = lane_in_loop();
  if (lane == nullptr) return;
  if (!lane->place.passed_on) pass_on(*lane);
  ++lane->place.iteration;
  lane->place.passed_on = false;
}

}  // namespace lbhm::openmp

using namespace lbhm::openmp;
using lbhm::real::OpenMPFunction;

LBHM_EXPORT void __kmpc_ordered(void* location, Thread thread) {
  static constinit OpenMPFunction<void(void*, Thread)> real(__func__);
  if (const Lane* lane = lane_in_loop()) await_own_turn(*lane);
  real(location, thread);
}

LBHM_EXPORT void __kmpc_end_ordered(void* location, Thread thread) {
  static constinit OpenMPFunction<void(void*, Thread)> real(__func__);
  real(location, thread);
  if (Lane* lane = lane_in_loop()) pass_on(*lane);
}

LBHM_EXPORT void __kmpc_doacross_init(void* location, Thread thread, std::int32_t count,
                                      const lbhm::tasks::Dimension* dimensions) {
  using Real = void(void*, Thread, std::int32_t, const lbhm::tasks::Dimension*);
  static constinit OpenMPFunction<Real> real(__func__);
  if (Lane* lane = lbhm::tasks::lane()) {
    const std::lock_guard guard(loops().lock);
    enter(*lane).dimensions.assign(dimensions, dimensions + count);
  }
  real(location, thread, count, dimensions);
}

LBHM_EXPORT void __kmpc_doacross_wait(void* location, Thread thread, const std::int64_t* indices) {
  static constinit OpenMPFunction<void(void*, Thread, const std::int64_t*)> real(__func__);
  if (const Lane* lane = lane_in_loop()) {
    OrderedLoop& loop = *lane->place.loop;
    bool inside = true;  // there is no iteration beyond the bounds, and none to wait for
    for (std::size_t i = 0; i < loop.dimensions.size(); ++i) inside &= loop.dimensions[i].holds(indices[i]);
    if (inside) sleep_until(loop, [&] { return loop.posted.contains(iteration(loop, indices)); });
  }
  real(location, thread, indices);
}

LBHM_EXPORT void __kmpc_doacross_post(void* location, Thread thread, const std::int64_t* indices) {
  static constinit OpenMPFunction<void(void*, Thread, const std::int64_t*)> real(__func__);
  real(location, thread, indices);
  if (const Lane* lane = lane_in_loop()) {
    OrderedLoop& loop = *lane->place.loop;
    change(loop, [&] { loop.posted.insert(iteration(loop, indices)); });
  }
}

LBHM_EXPORT void __kmpc_doacross_fini(void* location, Thread thread) {
  static constinit OpenMPFunction<void(void*, Thread)> real(__func__);
  if (Lane* lane = lane_in_loop()) leave(*lane);
  real(location, thread);
}
