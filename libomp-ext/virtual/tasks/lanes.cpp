// Teams and their lanes, as the OMPT tool reports them.
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>
#include <new>

#include "libomp-ext/virtual/tasks/scheduler.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/base/chance.h"
#include "runtime/engine/engine.h"

namespace lbhm::tasks {
namespace {

struct Teams {
  std::mutex lock;
  std::pmr::map<const RegionInstance*, TaskTeam> by_region{&private_memory()};
};

Teams& teams() {
  static Teams& all = *new (private_memory().allocate(sizeof(Teams), alignof(Teams))) Teams;
  return all;
}

TaskTeam* find(const RegionInstance* region) {
  const Guard guard(teams().lock);
  const auto found = teams().by_region.find(region);
  return found == teams().by_region.end() ? nullptr : &found->second;
}

/// The lanes that the calling thread executes, the innermost last. What they point to may be gone already: libomp tells
/// a worker of a lane's end when its next one begins.
struct OwnLanes {
  std::pmr::vector<Lane*> known{&private_memory()};
  /// Inside of these, lanes that nothing is known of: there was no memory.
  std::size_t unknown = 0;
  OwnLanes() = default;
  OwnLanes(const OwnLanes&) = delete;
  OwnLanes& operator=(const OwnLanes&) = delete;
  ~OwnLanes() { gone = true; }
  static inline constinit thread_local bool gone = false;
};

/// Null where the thread is about to end.
OwnLanes* own_lanes() {
  thread_local OwnLanes lanes;
  return OwnLanes::gone ? nullptr : &lanes;
}

Lane* innermost() {
  const OwnLanes* own = own_lanes();
  return own == nullptr || own->unknown > 0 || own->known.empty() ? nullptr : own->known.back();
}

/// Lanes are numbered by what they are, not by when they come.
std::uint64_t path_of(const TaskTeam& team, std::uint32_t index) {
  constexpr std::uint64_t lanes_per_team = 65536;
  const bool fits = (team.path >> 48) == 0;  // four levels of teams
  return lanes_per_team * (fits ? team.path : finalised(team.path)) + index;
}

/// A thread of the program's own, but for the first one: the memory of its lanes goes with it.
struct OwnThread {
  std::uint64_t number = next.fetch_add(1);
  OwnThread() = default;
  OwnThread(const OwnThread&) = delete;
  OwnThread& operator=(const OwnThread&) = delete;
  ~OwnThread() {
    const OwnLanes* lanes = own_lanes();
    if (engine::keeps_virtual_time() && lanes != nullptr && lanes->known.empty()) LaneMemory::forget(number);
  }
  static inline constinit std::atomic<std::uint64_t> next{1};
};

std::uint64_t own_root() {
  static const pid_t process = getpid();
  if (gettid() == process) return 0;
  thread_local const OwnThread own;
  return own.number;
}

}  // namespace

void team_begins(const RegionInstance* region) try {
  if (!engine::keeps_virtual_time()) return;
  static std::once_flag first;
  std::call_once(first, openmp::settle_heap);
  const Lane* forker = innermost();
  const std::uint64_t root = forker != nullptr ? forker->team->root : own_root();
  const Guard guard(teams().lock);
  TaskTeam& team = teams().by_region[region];
  team.region = region;
  team.root = root;
  team.path = forker != nullptr ? forker->path + 1 : 0;
} catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch): its lanes will be unknown

void team_ends(const RegionInstance* region) {
  if (!engine::keeps_virtual_time()) return;
  const Guard guard(teams().lock);
  teams().by_region.erase(region);
}

namespace {

void make_lane(TaskTeam& team, std::uint32_t index, std::uint32_t size, OwnLanes& own) {
  const Guard guard(team.lock);
  team.size = size;
  team.ready.resize(size);
  team.waiters.reserve(size);
  own.known.reserve(own.known.size() + 1);
  Lane& lane = team.lanes.emplace_back();
  lane.team = lane.implicit.team = &team;
  lane.index = index;
  lane.path = path_of(team, index);
  lane.memory = &LaneMemory::of(team.root, lane.path);
  lane.current = &lane.implicit;
  own.known.push_back(&lane);
}

}  // namespace

void lane_begins(const RegionInstance* region, std::uint32_t index, std::uint32_t size) {
  OwnLanes* own = engine::keeps_virtual_time() ? own_lanes() : nullptr;
  if (own == nullptr) return;
  TaskTeam* team = find(region);
  try {
    if (own->unknown == 0 && team != nullptr) return make_lane(*team, index, size, *own);
  } catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch): unknown, too
  ++own->unknown;
}

void lane_ends() {
  OwnLanes* own = engine::keeps_virtual_time() ? own_lanes() : nullptr;
  if (own == nullptr) return;
  if (own->unknown > 0)
    --own->unknown;
  else if (!own->known.empty())
    own->known.pop_back();
}

Lane* lane() {
  Lane* lane = innermost();
  return lane == nullptr || lane->team->size <= 1 || !engine::keeps_virtual_time() ? nullptr : lane;
}

}  // namespace lbhm::tasks
