// From this computer to the parts that its machine is made of.
#pragma once

#include <string>
#include <vector>

#include "runtime/host/host.h"
#include "runtime/host/tiers.h"

namespace lbhm::host {

struct Discovery {
  std::vector<MemoryNode> nodes;  ///< that we may use
  std::vector<HostTier> tiers;    ///< fewer than two: nothing to choose from
  std::vector<std::string> remarks;
  std::string limit{};  ///< what the user has said of nodes, where that leaves nothing to choose from
};

/// Finds the nodes and their tiers; the tiers' capacities are what may be used of them now. Errors: invalid_argument
/// for LBHM_TIERS.
Result<Discovery> discover(const HostOptions& options);

/// How the ledger of processes with these tiers is called.
std::string ledger_name(const std::vector<HostTier>& tiers);

}  // namespace lbhm::host
