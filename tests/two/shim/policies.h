// Which node new pages of a range appear on: what mbind(2) was told last.
#pragma once

#include <stdint.h>

struct chosen_node {
  int node;
  uint64_t when;  ///< later ones count more; 0: nobody has said anything
};

/// Not thread-safe. `when`: above 0, and later than all before.
void choose_node(uintptr_t begin, uintptr_t end, int node, uint64_t when);
/// What is said of all other pages.
void set_default_node(int node);
int default_node(void);
int node_of_unbound(uintptr_t address);
/// What mbind said of it, by turns too; else `as_others`.
struct chosen_node range_chosen_for(uintptr_t address);
/// Of a page; by turns, its own turn.
struct chosen_node node_chosen_for(uintptr_t address);
