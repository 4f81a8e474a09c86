#include "shim/pages.h"

#include <stddef.h>
#include <sys/mman.h>

#include "shim/policies.h"

// Places of neighbouring pages are beside each other: the table is to cost a program next to nothing.
enum { slots = 1 << 20, page_shift = 12, group = 64, tries = 64 };

struct entry {
  uintptr_t page;  ///< 0: nobody's
  int node;
  uint64_t when;
};

static struct entry* table;
static uint64_t now = 1;

/// Where the table is too full for the page, somebody else's place is taken: that page is where mbind says again.
static struct entry* find(uintptr_t page) {
  if (!table) {
    void* const memory =
        mmap(NULL, slots * sizeof *table, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    table = memory;
  }
  const uintptr_t number = page >> page_shift;
  const size_t groups = slots / group, first = (size_t)(number / group * 0x9e3779b97f4a7c15u >> 50);
  struct entry* place = table;
  for (size_t i = 0; i < tries; ++i) {
    place = &table[(first + i) % groups * group + number % group];
    if (place->page == page || place->page == 0) break;
  }
  if (place->page != page) *place = (struct entry){page, 0, 0};
  return place;
}

int node_of_page(uintptr_t page) {
  struct entry* const entry = find(page);
  if (!entry) return 0;
  const struct chosen_node chosen = node_chosen_for(page);
  // Addresses are used again: what was mapped anew and bound since is another page.
  const int is_new = entry->when == 0 || chosen.when > entry->when;
  if (is_new) *entry = (struct entry){page, chosen.node, now};
  return entry->node;
}

void move_page(uintptr_t page, int node) {
  struct entry* const entry = find(page);
  if (entry) *entry = (struct entry){page, node, now};
}

void forget_page(uintptr_t page) {
  struct entry* const entry = find(page);
  if (entry) entry->when = 0;
}

void bind_range(uintptr_t begin, uintptr_t end, int node) { choose_node(begin, end, node, ++now); }
