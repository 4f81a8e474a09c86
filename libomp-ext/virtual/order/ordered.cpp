// Iterations that wait for earlier ones: ordered constructs and doacross loops.
//
// libomp waits in a loop that looks at memory, in which a thread of virtual time would keep all others from going on.
// So the lane waits here until the earlier iterations are through; libomp then finds nothing to wait for.
//
// Without memory for that the iterations wait in libomp alone, for the rest of the program.
#include "libomp-ext/virtual/order/ordered.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <span>
#include <thread>
#include <vector>

#include "libomp-ext/virtual/tasks/scheduler.h"
#include "runtime/engine/engine.h"

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

using tasks::GlobalThread;
using tasks::Guard;
using tasks::Lane;
using tasks::OrderedLoop;

struct Loops {
  std::mutex lock;
  std::pmr::map<std::pair<const tasks::TaskTeam*, std::uint64_t>, OrderedLoop> by_team{&tasks::private_memory()};
};

Loops& loops() {
  static Loops& all = *new (tasks::private_memory().allocate(sizeof(Loops), alignof(Loops))) Loops;
  return all;
}

/// There was no memory: what lanes told is no longer complete, so nobody may wait for it.
constinit std::atomic<bool> given_up{false};

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
  const Guard guard(loops().lock);
  if (--lane.place.loop->lanes_left == 0) loops().by_team.erase({lane.team, lane.place.number});
  lane.place.loop = nullptr;
}

/// Under the lock of all loops.
void wake_all(OrderedLoop& loop) {
  for (const LaneName lane : loop.asleep) {
    if (lane != nullptr) engine::wake(lane);
  }
  loop.asleep.clear();
}

/// In the lane's turn and under the lock.
void give_up() {
  given_up = true;
  for (auto& [name, loop] : loops().by_team) wake_all(loop);
}

/// In the lane's turn and under the lock. False: nobody would wake it.
bool goes_to_sleep(OrderedLoop& loop) {
  try {
    loop.asleep.push_back(engine::lane_name());
  } catch (const std::bad_alloc&) { give_up(); }
  return !given_up;
}

template <class Done>
void sleep_until(OrderedLoop& loop, Done done) {
  for (;;) {
    engine::ordered_begin();
    {
      const Guard guard(loops().lock);
      if (given_up || done() || !goes_to_sleep(loop)) break;
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
    const Guard guard(loops().lock);
    try {
      if (!given_up) how();
      wake_all(loop);
    } catch (const std::bad_alloc&) { give_up(); }
  }
  engine::ordered_end();
}

/// The lane begins a loop, if there is memory for that.
template <class Setup>
void begin(Lane& lane, Setup setup) {
  lane.place.loop = nullptr;
  if (given_up) return;
  try {
    const Guard guard(loops().lock);
    return setup(enter(lane));
  } catch (const std::bad_alloc&) { lane.place.loop = nullptr; }
  engine::ordered_begin();
  {
    const Guard guard(loops().lock);
    give_up();
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

/// Without memory the lane waits in libomp.
void await_post(OrderedLoop& loop, const std::int64_t* indices) {
  try {
    const auto wanted = iteration(loop, indices);
    sleep_until(loop, [&] { return loop.posted.contains(wanted); });
  } catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch)
}

}  // namespace

void loop_begins(std::int32_t schedule, std::int64_t lower, std::int64_t stride) {
  Lane* lane = is_ordered(schedule) ? tasks::lane() : nullptr;
  if (lane == nullptr) return;
  begin(*lane, [&](OrderedLoop& loop) {
    loop.lower = lower;
    loop.stride = stride == 0 ? 1 : stride;
  });
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

LBHM_EXPORT void __kmpc_ordered(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<void(void*, GlobalThread)> real(__func__);
  if (const Lane* lane = lane_in_loop()) await_own_turn(*lane);
  real(location, thread);
}

LBHM_EXPORT void __kmpc_end_ordered(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<void(void*, GlobalThread)> real(__func__);
  real(location, thread);
  if (Lane* lane = lane_in_loop()) pass_on(*lane);
}

LBHM_EXPORT void __kmpc_doacross_init(void* location, GlobalThread thread, std::int32_t count,
                                      const lbhm::tasks::Dimension* dimensions) {
  using Real = void(void*, GlobalThread, std::int32_t, const lbhm::tasks::Dimension*);
  static constinit OpenMPFunction<Real> real(__func__);
  if (Lane* lane = lbhm::tasks::lane()) {
    begin(*lane, [&](OrderedLoop& loop) { loop.dimensions.assign(dimensions, dimensions + count); });
  }
  real(location, thread, count, dimensions);
}

LBHM_EXPORT void __kmpc_doacross_wait(void* location, GlobalThread thread, const std::int64_t* indices) {
  static constinit OpenMPFunction<void(void*, GlobalThread, const std::int64_t*)> real(__func__);
  if (const Lane* lane = lane_in_loop()) {
    OrderedLoop& loop = *lane->place.loop;
    bool inside = true;  // there is no iteration beyond the bounds, and none to wait for
    for (std::size_t i = 0; i < loop.dimensions.size(); ++i) inside &= loop.dimensions[i].holds(indices[i]);
    if (inside) await_post(loop, indices);
  }
  real(location, thread, indices);
}

LBHM_EXPORT void __kmpc_doacross_post(void* location, GlobalThread thread, const std::int64_t* indices) {
  static constinit OpenMPFunction<void(void*, GlobalThread, const std::int64_t*)> real(__func__);
  real(location, thread, indices);
  if (const Lane* lane = lane_in_loop()) {
    OrderedLoop& loop = *lane->place.loop;
    change(loop, [&] { loop.posted.insert(iteration(loop, indices)); });
  }
}

LBHM_EXPORT void __kmpc_doacross_fini(void* location, GlobalThread thread) {
  static constinit OpenMPFunction<void(void*, GlobalThread)> real(__func__);
  if (Lane* lane = lane_in_loop()) leave(*lane);
  real(location, thread);
}
