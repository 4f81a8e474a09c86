// Which node each page of this process is on, as far as somebody has asked.
#pragma once

#include <stdint.h>

enum { nodes_shown = 2 };

/// The kernel knows a policy for this page; what was said of memory that is gone does not hold for the next one there.
int kernel_has_policy(uintptr_t page);

/// Not thread-safe. No memory for the table: every page is on node 0.
int node_of_page(uintptr_t page);
void move_page(uintptr_t page, int node);
/// The page has no contents now; when it gets some it appears where mbind says.
void forget_page(uintptr_t page);
/// As mbind(2): pages of the range that have no contents yet appear on `node` (said.h), and with `moves` the others go
/// there.
void bind_range(uintptr_t begin, uintptr_t end, int node, int moves);
/// Before and after mremap(2): pages take their node and what was bound along, and what is new is bound as the last
/// one.
void know_range(uintptr_t begin, uintptr_t end);
void remap_range(uintptr_t from, uintptr_t old_bytes, uintptr_t to, uintptr_t bytes);
/// As set_mempolicy(2): so do pages that nobody has bound, from now on.
void choose_default(int node);
