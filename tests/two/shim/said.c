#include "shim/said.h"

#include <linux/mempolicy.h>

// The kernel keeps the nodes of a static policy as they were said, whether they exist or not; one must exist.
enum { static_nodes = MPOL_F_STATIC_NODES, node_flags = MPOL_F_STATIC_NODES | MPOL_F_RELATIVE_NODES };
enum { mark = 40, flag = 41, nodes = 43 };  // bits of the mask

int to_kernel(struct said* said) {
  if (said->nodes & ~3ul) return 0;
  if (said->nodes == 0) return 1;
  const unsigned long flags = (unsigned long)(said->mode & node_flags) / MPOL_F_RELATIVE_NODES;
  said->nodes = 1 | 1ul << mark | flags << flag | said->nodes << nodes;
  said->mode = (said->mode & ~node_flags) | static_nodes;
  return 1;
}

void from_kernel(struct said* said) {
  if (!(said->mode & static_nodes) || !(said->nodes >> mark & 1)) return;
  said->mode = (said->mode & ~node_flags) | (int)(said->nodes >> flag & 3) * MPOL_F_RELATIVE_NODES;
  said->nodes = said->nodes >> nodes & 3;
}

int first_node(const struct said* said) {
  enum { weighted_interleave = 6 };
  const int mode = said->mode & ~MPOL_MODE_FLAGS;
  if (mode == MPOL_DEFAULT) return as_others;
  if (said->nodes == 3 && (mode == MPOL_INTERLEAVE || mode == weighted_interleave)) return by_turns;
  return said->nodes == 2;
}
