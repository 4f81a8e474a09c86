#include "libomp-ext/virtual/tasks/scheduler.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/engine/engine.h"

namespace lbhm::tasks {
namespace {

/// As many tasks of one lane may wait; further ones are executed where they are made (as libomp does with a full
/// queue).
constexpr std::size_t most_waiting = 256;

std::atomic<bool> libomps_barriers{false};

/// Whether a lane may begin the node while its current task is suspended: a tied one must descend from it
/// (OpenMP 5.2, 12.9, task scheduling constraint).
bool may_begin(const Node& node, const Node* only_below) {
  if (only_below == nullptr || !node.tied()) return true;
  const Node* ancestor = node.parent;
  while (ancestor != nullptr && ancestor != only_below) ancestor = ancestor->parent;
  return ancestor == only_below;
}

const Node* constraint(const Lane& lane) {
  return lane.current->is_explicit() && lane.current->tied() ? lane.current : nullptr;
}

void wake(TaskTeam& team, std::pmr::vector<Waiter>::iterator waiter) {
  const LaneName name = waiter->name;
  team.waiters.erase(waiter);
  engine::wake(name);
}

void wake_who_waits_for(TaskTeam& team, const void* what) {
  const auto found = std::ranges::find(team.waiters, what, &Waiter::what);
  if (found != team.waiters.end()) wake(team, found);
}

void make_ready(Node& node) {
  TaskTeam& team = *node.team;
  node.sequence = team.next_sequence++;
  team.ready[node.maker].push_back(&node);
  engine::tasks_changed(team.region, 1, 0);
  const auto can = std::ranges::find_if(team.waiters, [&](const Waiter& w) { return may_begin(node, w.only_below); });
  if (can != team.waiters.end()) wake(team, can);
}

Node* take_from(std::pmr::deque<Node*>& queue, std::pmr::deque<Node*>::iterator at) {
  Node* node = *at;
  queue.erase(at);
  engine::tasks_changed(node->team->region, -1, 0);
  return node;
}

/// The newest task that the lane made, else the oldest of the others: as libomp's queues do, but for its chance.
Node* take(Lane& lane, const Node* only_below) {
  auto& queues = lane.team->ready;
  auto& own = queues[lane.index];
  for (auto at = own.end(); at != own.begin();) {
    if (may_begin(**--at, only_below)) return take_from(own, at);
  }
  std::pmr::deque<Node*>* oldest_queue = nullptr;
  std::pmr::deque<Node*>::iterator oldest;
  for (auto& queue : queues) {
    const auto at = std::ranges::find_if(queue, [&](const Node* node) { return may_begin(*node, only_below); });
    if (at == queue.end() || (oldest_queue != nullptr && (*oldest)->sequence < (*at)->sequence)) continue;
    oldest_queue = &queue;
    oldest = at;
  }
  return oldest_queue == nullptr ? nullptr : take_from(*oldest_queue, oldest);
}

void finish(Node& node) {
  TaskTeam& team = *node.team;
  node.finished = true;
  --node.parent->children;
  --team.unfinished;
  if (node.member_of != nullptr) --node.member_of->unfinished;
  engine::tasks_changed(team.region, 0, -1);
  for (Node* successor : node.successors) {
    const bool unblocked = --successor->blockers == 0;
    if (unblocked && successor->is_explicit()) make_ready(*successor);
    if (unblocked && !successor->is_explicit()) wake_who_waits_for(team, successor);
    release(successor);
  }
  node.successors.clear();
  node.dependences.reset();
  if (node.parent->children == 0) wake_who_waits_for(team, node.parent);
  if (node.member_of != nullptr && node.member_of->unfinished == 0) wake_who_waits_for(team, node.member_of);
  release(&node);
}

void one_condition_less(Node& node) {
  engine::ordered_begin();
  {
    TaskTeam& team = *node.team;
    const Guard guard(team.lock);
    if (--node.awaited == 0) finish(node);
  }
  engine::ordered_end();
}

/// libomp executes its task, and that ours.
void run(Lane& lane, Node& node) {
  static constinit OpenMPFunction<std::int32_t(void*, GlobalThread, void*)> submit_to_libomp("__kmpc_omp_task");
  static constinit OpenMPFunction<GlobalThread(void*)> own_number("__kmpc_global_thread_num");
  Node* const suspended = lane.current;
  lane.current = &node;
  node.started = true;
  const WorkAt left = engine::go_on_with(engine::fresh_task(code_of(node)));
  submit_to_libomp(node.location, own_number(nullptr), node.real);
  engine::go_on_with(left);
  lane.current = suspended;
}

void execute(Lane& lane, Node& node) {
  run(lane, node);
  one_condition_less(node);
}

void depend(Node& node, std::span<const Depend> depends, bool remember) {
  if (depends.empty()) return;
  auto& known = node.parent->dependences;
  if (!known) known = std::make_unique<Dependences>();
  for (const Depend& each : depends) known->add(node, each, remember);
}

/// Executes tasks, and sleeps where there are none, until `done` says so (asked with the lock, in a turn).
template <class Done>
void wait_until(Lane& lane, const void* what, const Node* only_below, Done done) {
  TaskTeam& team = *lane.team;
  for (;;) {
    engine::ordered_begin();
    Node* node = nullptr;
    bool is_done = false;
    {
      const Guard guard(team.lock);
      is_done = done();
      if (!is_done) node = take(lane, only_below);
      if (!is_done && node == nullptr) team.waiters.push_back({&lane, engine::lane_name(), what, only_below});
    }
    if (is_done) return engine::ordered_end();
    if (node != nullptr) {
      engine::ordered_end();
      execute(lane, *node);
      continue;
    }
    engine::sleep();
    const Guard guard(team.lock);
    // Nobody woke it: no order holds this lane, it looks again and again.
    if (std::erase_if(team.waiters, [&](const Waiter& w) { return w.who == &lane; }) > 0) std::this_thread::yield();
  }
}

}  // namespace

void submit(Lane& lane, Node& node, std::span<const Depend> depends, When when) {
  TaskTeam& team = *lane.team;
  const bool short_of_memory = memory_is_short();
  if (short_of_memory && !depends.empty()) wait_for_children(lane);
  bool now = when == When::now || short_of_memory;
  engine::ordered_begin();
  {
    const Guard guard(team.lock);
    lane.memory->reclaim();
    ++node.parent->children;
    ++team.unfinished;
    if (node.member_of != nullptr) ++node.member_of->unfinished;
    engine::tasks_changed(team.region, 0, 1);
    if (!short_of_memory) depend(node, depends, true);
    now |= node.blockers == 0 && (node.parent->final() || team.ready[lane.index].size() >= most_waiting);
    if (!now && node.blockers == 0) make_ready(node);
  }
  engine::ordered_end();
  if (now) execute(lane, node);
}

void discard(Lane& lane, Node& node) {
  node.task->routine = [](GlobalThread, KmpTask*) -> std::int32_t { return 0; };
  run(lane, node);
  const Guard guard(lane.team->lock);
  release(&node);
}

void fulfilled(Node& node) { one_condition_less(node); }

void yield(Lane& lane) {
  Node* node = nullptr;
  engine::ordered_begin();
  {
    const Guard guard(lane.team->lock);
    node = take(lane, constraint(lane));
  }
  engine::ordered_end();
  if (node != nullptr) execute(lane, *node);
}

void wait_for_team(Wait kind) {
  while (engine::wait_begin(kind, nullptr)) {  // called for a task, if one is left
    engine::wait_end(kind, nullptr);
    if (Lane* here = lane()) yield(*here);
  }
  Lane* here = lane();
  if (here == nullptr || engine::lane_name() != nullptr) return;
  // No order holds it: executes what is left.
  wait_until(*here, nullptr, nullptr, [&] { return here->team->unfinished == 0; });
}

void leave_barriers_to_libomp() { libomps_barriers.store(true, std::memory_order_relaxed); }

bool pass_barrier() {
  Lane* here = lane();
  if (here == nullptr || libomps_barriers.load(std::memory_order_relaxed) || memory_is_short())
    return false;  // libomp's queues may have tasks then
  wait_for_team(Wait::team_barrier);
  here->waits = !engine::passed_barrier();
  if (!here->waits) engine::wait_end(Wait::team_barrier, nullptr);
  return !here->waits;
}

bool wait_has_begun() {
  Lane* here = lane();
  return here != nullptr && std::exchange(here->waits, false);
}

void wait_for_children(Lane& lane) {
  const Node& current = *lane.current;
  wait_until(lane, &current, constraint(lane), [&] { return current.children == 0; });
}

void wait_for_group(Lane& lane, const Group& group) {
  wait_until(lane, &group, constraint(lane), [&] { return group.unfinished == 0; });
}

void wait_for_dependences(Lane& lane, std::span<const Depend> depends) {
  Node wait;
  wait.team = lane.team;
  wait.parent = lane.current;
  engine::ordered_begin();
  {
    const Guard guard(lane.team->lock);
    depend(wait, depends, false);
  }
  engine::ordered_end();
  wait_until(lane, &wait, constraint(lane), [&] { return wait.blockers == 0; });
}

}  // namespace lbhm::tasks
