// Teams and their lanes, as the OMPT tool reports them.
#include <unistd.h>

#include <atomic>
#include <map>
#include <mutex>

#include "lbhm/engine.h"
#include "libomp-ext/tasks/scheduler.h"

namespace lbhm::tasks {
namespace {

struct Teams {
  std::mutex lock;
  std::pmr::map<const engine::RegionInstance*, Team> by_region{&private_memory()};
};

Teams& teams() {
  static Teams& all = *new (private_memory().allocate(sizeof(Teams), alignof(Teams))) Teams;
  return all;
}

Team* find(const engine::RegionInstance* region) {
  const std::lock_guard guard(teams().lock);
  const auto found = teams().by_region.find(region);
  return found == teams().by_region.end() ? nullptr : &found->second;
}

/// The lanes that the calling thread executes, the innermost last. What they point to may be gone already: libomp tells
/// a worker of a lane's end when its next one begins.
std::pmr::vector<Lane*>& own_lanes() {
  thread_local std::pmr::vector<Lane*> lanes{&private_memory()};
  return lanes;
}

/// Lanes are numbered by what they are, not by when they come.
std::uint64_t path_of(const Team& team, std::uint32_t index) {
  constexpr std::uint64_t lanes_per_team = 65536;
  return lanes_per_team * team.path + index;
}

/// Of the lane that forks; a thread of the program's own has a number that no lane has, or its teams would share memory
/// with those of others.
std::uint64_t forkers_path() {
  if (!own_lanes().empty() && own_lanes().back() != nullptr) return own_lanes().back()->path + 1;
  static const pid_t process = getpid();
  if (gettid() == process) return 0;
  constexpr std::uint64_t first_foreign = std::uint64_t{1} << 40;
  static std::atomic<std::uint64_t> foreign{first_foreign};
  thread_local const std::uint64_t own = foreign.fetch_add(1);
  return own;
}

}  // namespace

void team_begins(const engine::RegionInstance* region) {
  const std::uint64_t path = forkers_path();
  const std::lock_guard guard(teams().lock);
  Team& team = teams().by_region[region];
  team.region = region;
  team.path = path;
}

void team_ends(const engine::RegionInstance* region) {
  const std::lock_guard guard(teams().lock);
  teams().by_region.erase(region);
}

void lane_begins(const engine::RegionInstance* region, std::uint32_t index, std::uint32_t size) {
  Team* team = find(region);
  if (team == nullptr) {  // nobody follows it: no lane, until its end
    own_lanes().push_back(nullptr);
    return;
  }
  const std::lock_guard guard(team->lock);
  team->size = size;
  team->ready.resize(size);
  Lane& lane = team->lanes.emplace_back();
  lane.team = lane.implicit.team = team;
  lane.index = index;
  lane.path = path_of(*team, index);
  lane.memory = &LaneMemory::of(lane.path);
  lane.current = &lane.implicit;
  own_lanes().push_back(&lane);
}

void lane_ends() {
  if (!own_lanes().empty()) own_lanes().pop_back();
}

Lane* lane() {
  Lane* const lane = own_lanes().empty() ? nullptr : own_lanes().back();
  return lane != nullptr && lane->team->size > 1 ? lane : nullptr;
}

}  // namespace lbhm::tasks
