// The made-up files of /sys and /proc: a folder that the environment names.
#pragma once

#include <stddef.h>

/// The folder in TWO_NODES_TREE; null: there is none, and the process sees the computer as it is.
const char* two_nodes_tree(void);
/// The made-up file or folder in the place of `path`, written to `made_up`; or `path` itself.
const char* instead_of(const char* path, char* made_up, size_t bytes);
/// Is this the file that says which nodes the process may have memory of?
int is_status(const char* path);
