#include "shim/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const made_up_paths[] = {"/sys/devices/system/node", "/sys/devices/virtual/memory_tiering",
                                            "/sys/bus/dax/devices", "/proc/zoneinfo", "/dev/shm"};

const char* two_nodes_tree(void) {
  static char tree[2048];
  static int known;  // programs may change their environment later
  if (!known) {
    const char* const name = getenv("TWO_NODES_TREE");
    if (name && strlen(name) < sizeof tree) strcpy(tree, name);
    known = 1;
  }
  return tree[0] ? tree : NULL;
}

/// "//sys/x" is "/sys/x".
static const char* with_one_slash(const char* path) {
  while (path && path[0] == '/' && path[1] == '/') ++path;
  return path;
}

const char* instead_of(const char* path, char* made_up, size_t bytes) {
  const char* const plain = with_one_slash(path);
  if (!plain || plain[0] != '/' || !two_nodes_tree()) return path;
  for (size_t i = 0; i < sizeof made_up_paths / sizeof *made_up_paths; ++i) {
    const size_t length = strlen(made_up_paths[i]);
    if (strncmp(plain, made_up_paths[i], length) != 0 || (plain[length] != '\0' && plain[length] != '/')) continue;
    const int written = snprintf(made_up, bytes, "%s%s", two_nodes_tree(), plain);
    return written > 0 && (size_t)written < bytes ? made_up : path;
  }
  return path;
}

int is_status(const char* path) {
  const char* const plain = with_one_slash(path);
  return plain && two_nodes_tree() && strcmp(plain, "/proc/self/status") == 0;
}
