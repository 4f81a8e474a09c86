// A computer with several tiers as a machine.
#pragma once

#include <memory>
#include <shared_mutex>
#include <string>
#include <vector>

#include "runtime/host/hardware_counters.h"
#include "runtime/host/host.h"
#include "runtime/host/host_execution.h"
#include "runtime/host/tier_heaps.h"
#include "runtime/host/tiered_memory.h"
#include "runtime/machine/machine.h"

namespace lbhm::host {

struct LinuxParts {
  Topology topology;
  HostClock clock;
  std::unique_ptr<TieredMemory> memory;
  std::unique_ptr<TierHeaps> heaps;
  /// Shared while pages are moved or released, held alone while samplers choose pages to watch.
  std::shared_ptr<std::shared_mutex> in_use = std::make_shared<std::shared_mutex>();
  HostSources sources;                 ///< may be empty
  std::unique_ptr<Counters> counters;  ///< null: events are not counted
  std::vector<std::string> remarks;    ///< of the discovery
};

std::unique_ptr<Machine> make_linux_machine(LinuxParts parts);

}  // namespace lbhm::host
