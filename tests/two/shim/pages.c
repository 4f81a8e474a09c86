#include "shim/pages.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shim/policies.h"
#include "shim/said.h"

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
  if (is_new) *entry = (struct entry){page, kernel_has_policy(page) ? chosen.node : node_of_unbound(page), now};
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

typedef void page_use(uintptr_t page, void* data);

/// In few instructions, for programs that are traced one by one: entries of pages that nobody has used are all alike.
static int none_is_present(const uint64_t* entries, size_t count) {
  return entries[0] >> 62 == 0 && memcmp(entries, entries + 1, (count - 1) * sizeof *entries) == 0;
}

/// Calls `use` with all pages of the range that have contents.
static void for_present(uintptr_t begin, uintptr_t end, page_use* use, void* data) {
  const int file = open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC);
  static uint64_t entries[512];  // under the lock; stacks of threads may be small
  for (uintptr_t at = begin; file >= 0 && at < end;) {
    size_t count = (end - at) >> page_shift;
    if (count > 512) count = 512;
    const ssize_t got = pread(file, entries, count * sizeof *entries, (off_t)((at >> page_shift) * sizeof *entries));
    const size_t known = got > 0 ? (size_t)got / sizeof *entries : 0;
    if (known > 0 && !none_is_present(entries, known))
      for (size_t i = 0; i < known; ++i)
        if (entries[i] >> 62) use(at + (i << page_shift), data);
    at += count << page_shift;
  }
  if (file >= 0) close(file);
}

static void know(uintptr_t page, void* data) {
  (void)data;
  node_of_page(page);
}
/// It stays, although the place of new pages has changed.
static void keep(uintptr_t page, void* data) {
  (void)data;
  struct entry* const entry = find(page);
  if (entry) entry->when = now;
}
static void take_along(uintptr_t page, void* data) {
  const int node = *(const int*)data;
  move_page(page, node == as_others ? node_of_page(page) : node == by_turns ? (int)(page >> page_shift & 1) : node);
}

void bind_range(uintptr_t begin, uintptr_t end, int node, int moves) {
  if (moves == 0) for_present(begin, end, know, NULL);
  choose_node(begin, end, node, ++now);
  for_present(begin, end, moves ? take_along : keep, &node);
}

void know_range(uintptr_t begin, uintptr_t end) { for_present(begin, end, know, NULL); }

static void come_from(uintptr_t page, void* data) {
  const uintptr_t distance = *(const uintptr_t*)data;
  move_page(page, node_of_page(page - distance));
}

void remap_range(uintptr_t from, uintptr_t old_bytes, uintptr_t to, uintptr_t bytes) {
  const uintptr_t page = (uintptr_t)1 << page_shift, kept = bytes < old_bytes ? bytes : old_bytes;
  const uint64_t when = ++now;
  for (uintptr_t begin = 0; begin < bytes;) {
    const int node = range_chosen_for(from + (begin < kept ? begin : kept - page)).node;
    uintptr_t end = begin + page;
    while (end < bytes && range_chosen_for(from + (end < kept ? end : kept - page)).node == node) end += page;
    choose_node(to + begin, to + end, node, when);
    begin = end;
  }
  uintptr_t distance = to - from;
  for_present(to, to + kept, come_from, &distance);
  for (uintptr_t at = from; to != from && at < from + old_bytes; at += page) forget_page(at);
}

/// Where pages are that nobody has bound is known from now on; a later policy says nothing of them.
void choose_default(int node) {
  FILE* const maps = node == default_node() ? NULL : fopen("/proc/self/maps", "re");
  char line[512];
  while (maps && fgets(line, sizeof line, maps)) {
    unsigned long begin = 0, end = 0;
    char kind[5] = "";
    if (sscanf(line, "%lx-%lx %4s", &begin, &end, kind) == 3 && strcmp(kind, "rw-p") == 0)
      for_present(begin, end, know, NULL);
  }
  if (maps) fclose(maps);
  set_default_node(node);
}
