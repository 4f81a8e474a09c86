// From memory nodes to tiers: nodes of one speed class, as they are found, as the user says, or as `lbhm machine
// measure` measured them (lbhm.host/1, docs/machine-files.md).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/host/memory_nodes.h"
#include "runtime/machine/machine.h"

namespace lbhm::host {

struct MeasuredTier {
  std::string name;
  std::vector<int> nodes;               ///< memory nodes of Linux
  Nanoseconds latency{};                ///< 0: it could not be measured
  BytesPerNanosecond read_bandwidth{};  ///< of all its nodes together
  BytesPerNanosecond write_bandwidth{};
};

/// The fastest first. Errors: not_found, malformed (with file and key).
Result<std::vector<MeasuredTier>> read_measured_tiers(const std::string& file);

/// Their nodes, as LBHM_TIERS names them: "0,1/2".
std::string as_setting(const std::vector<MeasuredTier>& tiers);

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
