// What hwloc knows of memory nodes beyond /sys: its own tables of processors, and attributes that a user gave it.
#pragma once

#include <string>
#include <vector>

#include "runtime/machine/nodes.h"

namespace lbhm::host {

/// Fills in what the nodes do not say themselves. Returns a sentence if hwloc is not there or refuses; "" if all is
/// well. `modules`: the folder of liblbhm-hwloc.so. `simulated`: as in hwloc_module.h.
std::string add_hwloc(std::vector<MemoryNode>& nodes, const std::string& modules, bool simulated = false);

/// hwloc's word for a kind of memory; unknown for others.
MemoryKind kind_of_subtype(std::string_view subtype);

}  // namespace lbhm::host
