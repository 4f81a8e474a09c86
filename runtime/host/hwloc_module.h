// What liblbhm.so asks of liblbhm-hwloc.so, the only file that is linked with hwloc: plain C, because the two may be of
// different builds. The name of the function changes with the structure.
#pragma once

extern "C" {

struct lbhm_hwloc_node {
  int id;                 ///< number of Linux
  char kind[16];          ///< hwloc's subtype: "MCDRAM", "HBM", "DRAM", "NVM", "CXL-DRAM", ...; "" if unknown
  double read_bandwidth;  ///< GB/s from the nearest processors; 0 if unknown
  double write_bandwidth;
  double latency;  ///< ns, reads; 0 if unknown
};

/// Fills `out` and returns how many nodes there are; negative on failure, with a sentence in `why`.
/// `simulated`: also take a topology that is not this machine's (HWLOC_XMLFILE, HWLOC_SYNTHETIC), for tests.
int lbhm_hwloc_nodes_v1(lbhm_hwloc_node* out, int room, int simulated, char* why, int why_bytes);
}
