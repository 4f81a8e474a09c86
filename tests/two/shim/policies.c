#include "shim/policies.h"

#include <stddef.h>

#include "shim/said.h"

// Programs of tests have no more ranges at one time (policy scatter: a page each, at worst); the oldest is forgotten.
enum { most = 8192 };

static struct {
  uintptr_t begin, end;
  struct chosen_node chosen;
} ranges[most];
static size_t count;

void choose_node(uintptr_t begin, uintptr_t end, int node, uint64_t when) {
  const size_t at = count++ % most;
  ranges[at].begin = begin;
  ranges[at].end = end;
  ranges[at].chosen = (struct chosen_node){node, when};
}

static int of_others;  // 0: where the processors are

void set_default_node(int node) { of_others = node == as_others ? 0 : node; }
int default_node(void) { return of_others; }

struct chosen_node range_chosen_for(uintptr_t address) {
  const size_t oldest = count < most ? 0 : count - most;
  for (size_t i = count; i > oldest; --i) {
    const size_t at = (i - 1) % most;
    if (address >= ranges[at].begin && address < ranges[at].end) return ranges[at].chosen;
  }
  return (struct chosen_node){as_others, 0};
}

int node_of_unbound(uintptr_t address) { return of_others == by_turns ? (int)(address >> 12 & 1) : of_others; }

struct chosen_node node_chosen_for(uintptr_t address) {
  struct chosen_node chosen = range_chosen_for(address);
  if (chosen.node == as_others) chosen.node = node_of_unbound(address);
  if (chosen.node == by_turns) chosen.node = (int)(address >> 12 & 1);
  return chosen;
}
