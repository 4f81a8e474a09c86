// liblbhm-hwloc.so: the memory nodes as hwloc 2.3 and later (3.x, too) describes them.
#include "runtime/host/hwloc_module.h"

#include <hwloc.h>

#include <cstdio>
#include <cstring>

namespace {

using Topology = hwloc_topology_t;

/// The best value of an attribute over all groups of processors that it is known for; 0 if it is known for none.
double best_value(Topology topology, hwloc_memattr_id_t attribute, hwloc_obj_t node, bool smallest) {
  unsigned count = 0;
  if (hwloc_memattr_get_initiators(topology, attribute, node, 0, &count, nullptr, nullptr) != 0 || count == 0) return 0;
  constexpr unsigned most = 64;  // groups of processors that name values for one node; more are passed over
  hwloc_location initiators[most];
  hwloc_uint64_t values[most];
  count = most;
  if (hwloc_memattr_get_initiators(topology, attribute, node, 0, &count, initiators, values) != 0) return 0;
  double best = 0;
  for (unsigned i = 0; i < count && i < most; ++i) {
    const auto value = static_cast<double>(values[i]);
    if (best == 0 || (smallest ? value < best : value > best)) best = value;
  }
  return best;
}

/// hwloc counts bandwidth in MiB/s.
double gigabytes(double mebibytes_per_second) { return mebibytes_per_second * 1048576e-9; }

void describe(Topology topology, hwloc_obj_t node, lbhm_hwloc_node& out) {
  out = {};
  out.id = static_cast<int>(node->os_index);
  if (node->subtype) std::snprintf(out.kind, sizeof out.kind, "%s", node->subtype);
  out.read_bandwidth = gigabytes(best_value(topology, HWLOC_MEMATTR_ID_READ_BANDWIDTH, node, false));
  if (out.read_bandwidth == 0)
    out.read_bandwidth = gigabytes(best_value(topology, HWLOC_MEMATTR_ID_BANDWIDTH, node, false));
  out.write_bandwidth = gigabytes(best_value(topology, HWLOC_MEMATTR_ID_WRITE_BANDWIDTH, node, false));
  out.latency = best_value(topology, HWLOC_MEMATTR_ID_READ_LATENCY, node, true);
  if (out.latency == 0) out.latency = best_value(topology, HWLOC_MEMATTR_ID_LATENCY, node, true);
}

int refuse(Topology topology, char* why, int why_bytes, const char* sentence) {
  std::snprintf(why, static_cast<std::size_t>(why_bytes), "%s", sentence);
  if (topology) hwloc_topology_destroy(topology);
  return -1;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int lbhm_hwloc_nodes_v1(lbhm_hwloc_node* out, int room, int simulated,
                                                                          char* why, int why_bytes) {
  Topology topology = nullptr;
  if (hwloc_topology_init(&topology) != 0)
    return refuse(nullptr, why, why_bytes,
                  "hwloc_topology_init failed; if the tiers are wrong, name them by LBHM_TIERS");
  // Devices, caches and cores are of no interest: only memory nodes are.
  hwloc_topology_set_all_types_filter(topology, HWLOC_TYPE_FILTER_KEEP_NONE);
  // This part asks each processor, which says nothing of memory, and complains on standard error where it must not
  // (valgrind).
  hwloc_topology_set_components(topology, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "x86");
  if (hwloc_topology_load(topology) != 0)
    return refuse(topology, why, why_bytes,
                  "hwloc_topology_load failed; if the tiers are wrong, name them by LBHM_TIERS");
  if (!simulated && !hwloc_topology_is_thissystem(topology))
    return refuse(topology, why, why_bytes,
                  "HWLOC_XMLFILE or HWLOC_SYNTHETIC describes another computer; unset it, or name tiers by LBHM_TIERS");
  int count = 0;
  for (hwloc_obj_t node = nullptr;
       (node = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_NUMANODE, node)) != nullptr;) {
    if (count < room) describe(topology, node, out[count]);
    ++count;
  }
  hwloc_topology_destroy(topology);
  return count;
}
