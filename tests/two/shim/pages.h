// Which node each page of this process is on, as far as somebody has asked.
#pragma once

#include <stdint.h>

enum { nodes_shown = 2 };

/// Not thread-safe. No memory for the table: every page is on node 0.
int node_of_page(uintptr_t page);
void move_page(uintptr_t page, int node);
/// The page has no contents now; when it gets some it appears where mbind says.
void forget_page(uintptr_t page);
/// As mbind(2): pages of the range that have no contents yet appear on `node`.
void bind_range(uintptr_t begin, uintptr_t end, int node);
