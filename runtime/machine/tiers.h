// From memory nodes to tiers: nodes of one speed class.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/machine/machine.h"
#include "runtime/machine/nodes.h"

namespace lbhm::host {

struct HostTier {
  std::vector<int> nodes;
  Tier tier;
};

/// Speed classes of node numbers, the fastest first. Nodes are told apart by the first of these that is known of all
/// that the ones before did not tell apart: bandwidth (more is faster: a program with a thread on each core is short
/// of it first), latency, what the memory is made of, the kernel's tier, distance to the nearest processors.
std::vector<std::vector<int>> speed_classes(const std::vector<MemoryNode>& nodes);

/// "2,3/0-1": the classes that a user names. Errors: invalid_argument, with LBHM_TIERS in the sentence.
Result<std::vector<std::vector<int>>> parse_classes(std::string_view text, const std::vector<MemoryNode>& nodes);

/// Names, bandwidths and latencies of the classes from those of their nodes; the capacity is the size of the nodes.
std::vector<HostTier> describe(const std::vector<std::vector<int>>& classes, const std::vector<MemoryNode>& nodes);

}  // namespace lbhm::host
