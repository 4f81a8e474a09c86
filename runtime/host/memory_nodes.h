// The memory nodes of this computer, as the kernel shows them in /sys, and what hwloc knows beyond that: its own tables
// of processors, and attributes that a user gave it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/host/sysfs.h"

namespace lbhm::host {

/// What the memory of a node is made of, the fastest first; a rank where nothing else tells nodes apart.
enum class MemoryKind : std::uint8_t { unknown, hbm, dram, cxl, nvm };
const char* name_of(MemoryKind kind);

struct MemoryNode {
  int id = 0;
  Bytes total{};
  bool has_cpus = false;
  MemoryKind kind = MemoryKind::unknown;
  // Seen from the nearest processors. 0: nobody says.
  BytesPerNanosecond read_bandwidth{};
  BytesPerNanosecond write_bandwidth{};
  Nanoseconds latency{};          ///< of reads
  int kernel_tier = -1;           ///< the kernel's own class (since 6.1), the fastest has the smallest number; -1: none
  std::vector<int> initiators{};  ///< nodes whose processors are nearest
  std::vector<std::pair<int, int>> distances{};  ///< (node, distance), 10 is local (ACPI SLIT)

  /// 255, ACPI's "unreachable", if the kernel does not say.
  int distance_to(int node) const;
};

/// All nodes with memory, by number. Empty: /sys cannot be read, or the kernel knows no nodes.
std::vector<MemoryNode> read_nodes(const Sysfs& sysfs);

/// Null if there is none of this number.
const MemoryNode* find_node(const std::vector<MemoryNode>& nodes, int id);

/// Of `candidates` (node numbers), those nearest to `from` first; equal ones stay in order.
std::vector<int> nearest_first(const std::vector<MemoryNode>& nodes, int from, std::vector<int> candidates);

/// Fills in what the nodes do not say themselves. Returns a sentence if hwloc is not there or refuses; "" if all is
/// well. `modules`: the folder of liblbhm-hwloc.so. `simulated`: as in hwloc_module.h.
std::string add_hwloc(std::vector<MemoryNode>& nodes, const std::string& modules, bool simulated = false);

/// hwloc's word for a kind of memory; unknown for others.
MemoryKind kind_of_subtype(std::string_view subtype);

}  // namespace lbhm::host
