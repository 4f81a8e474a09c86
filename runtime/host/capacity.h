// How much of a node's memory this process may use, and how much of it is left.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "runtime/host/memory_calls.h"
#include "runtime/host/memory_nodes.h"

namespace lbhm::host {

/// Of the nodes, those that this process may have memory of (cpusets); all if the kernel does not say.
std::vector<MemoryNode> allowed(const Sysfs& sysfs, std::vector<MemoryNode> nodes);

/// What a process could still get of a node without swapping: free memory and half of the file cache, less what the
/// kernel keeps for itself. The rule of the kernel's MemAvailable (mm/show_mem.c, si_mem_available), by node.
/// Nothing: the kernel does not say.
std::optional<Bytes> available(const Sysfs& sysfs, int node);

/// What the memory limits of this process's cgroups leave (versions 1 and 2, the tightest of all levels). Nothing: no
/// limit.
std::optional<Bytes> cgroup_room(const Sysfs& sysfs);

/// What a thread says of all memory that it touches and that has no policy of its own. By the kernel alone, before
/// anything else is asked of it; refused (containers): nothing is said.
struct ThreadPolicy {
  int mode = MPOL_DEFAULT;  ///< without its flags
  NodeMask nodes;

  /// False: pages appear where the thread runs, as they do without a policy.
  bool says_something() const { return mode != MPOL_DEFAULT && mode != MPOL_LOCAL; }
  bool operator==(const ThreadPolicy&) const = default;
};
ThreadPolicy policy_of_this_thread();

}  // namespace lbhm::host
