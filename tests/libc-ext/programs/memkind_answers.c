/* What memkind's interface answers, a line each: to right and to wrong arguments, for small and for large blocks. The
 * same with LB-HM and without, where libmemkind takes node 0 for memory of high bandwidth (MEMKIND_HBW_NODES=0). */
#include <errno.h>
#include <hbwmalloc.h>
#include <memkind.h>
#include <memkind_memtier.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { KiB = 1024, MiB = 1024 * KiB, SIZES = 3 };
static const size_t sizes[SIZES] = {1000, 300 * KiB, 3 * MiB + 5};
/* Functions that memkind_arena(3) and memkind_default(3) describe for those who make kinds. */
void memkind_arena_free(memkind_t kind, void* block);
void memkind_arena_free_with_kind_detect(void* block);
void* memkind_arena_realloc(memkind_t kind, void* block, size_t bytes);
memkind_t memkind_arena_detect_kind(void* block);
void memkind_default_free(memkind_t kind, void* block);
void* memkind_default_realloc(memkind_t kind, void* block, size_t bytes);
size_t memkind_default_malloc_usable_size(memkind_t kind, void* block);

static void say(const char* what, long answer) { printf("%-24s %ld\n", what, answer); }
static void say_kind(const char* what, memkind_t kind) {
  const memkind_t kinds[] = {NULL,        MEMKIND_DEFAULT,       MEMKIND_REGULAR, MEMKIND_INTERLEAVE,
                             MEMKIND_HBW, MEMKIND_HBW_PREFERRED, MEMKIND_HBW_ALL, MEMKIND_HBW_INTERLEAVE};
  long number = sizeof kinds / sizeof *kinds;
  while (number-- > 0 && kinds[number] != kind) {}
  say(what, number);
}
/* Null or not, and errno. */
static void say_block(const char* what, const void* block) { printf("%-24s %d errno %d\n", what, !!block, errno); }

static void policies(void) {
  const int wanted[] = {0, 9, -1, HBW_POLICY_BIND, HBW_POLICY_PREFERRED, HBW_POLICY_BIND, 9};
  for (int i = 0; i < 7; ++i) say("set_policy", hbw_set_policy((hbw_policy_t)wanted[i]));
  say("get_policy", hbw_get_policy());
  say("check_available", hbw_check_available());
}

static void limits(void) {
  void* const kept = (void*)0x1234;
  const size_t wrong[] = {0, 2, 3, 4, 24};
  errno = 0;
  say_block("hbw_malloc 0", hbw_malloc(0));
  say_block("hbw_calloc 8 0", hbw_calloc(8, 0));
  say_block("hbw_malloc too large", hbw_malloc(SIZE_MAX / 2));
  errno = 0;
  for (int i = 0; i < 5; ++i) {
    for (int size = 0; size < SIZES; ++size) {
      void* block = kept;
      say("memalign", hbw_posix_memalign(&block, wrong[i], sizes[size]));
      say("leaves", block == kept ? 2 : !!block);
      block = kept;
      say("memkind memalign", memkind_posix_memalign(MEMKIND_DEFAULT, &block, wrong[i], sizes[size]));
      say("leaves", block == kept ? 2 : !!block);
    }
  }
  void* block = kept;
  say("memalign of 0", hbw_posix_memalign(&block, 64, 0));
  say("leaves", block == kept ? 2 : !!block);
  say("memalign too large", hbw_posix_memalign(&block, 64, SIZE_MAX - 100));
  say("leaves", block == kept ? 2 : !!block);
  say("psize strict", hbw_posix_memalign_psize(&block, 64, MiB + 1, HBW_PAGESIZE_1GB_STRICT));
  say("psize alignment", hbw_posix_memalign_psize(&block, 3, MiB, HBW_PAGESIZE_4KB));
  say("psize 4 KiB", hbw_posix_memalign_psize(&block, 64, MiB, HBW_PAGESIZE_4KB));
  hbw_free(block);
  say("errno", errno);
}

static void regions(size_t bytes) {
  char* const block = hbw_malloc(bytes);
  memset(block, 1, bytes);
  say("whole", hbw_verify_memory_region(block, bytes, 0));
  say("touched", hbw_verify_memory_region(block, bytes, HBW_TOUCH_PAGES));
  say("a byte within", hbw_verify_memory_region(block + bytes / 3, 1, 0));
  say("an inner range", hbw_verify_memory_region(block + bytes / 2, bytes / 4, 0));
  say("null", hbw_verify_memory_region(NULL, bytes, 0));
  say("no bytes", hbw_verify_memory_region(block, 0, 0));
  say("a wrong flag", hbw_verify_memory_region(block, bytes, 2));
  say("around the end", hbw_verify_memory_region(block, SIZE_MAX, 0));
  say("usable", hbw_malloc_usable_size(block) >= bytes);
  hbw_free(block);
}

/* Nobody has used it before. */
static void untouched_region(void) {
  char* const block = hbw_malloc(64 * MiB);
  say("untouched", hbw_verify_memory_region(block + 32 * MiB, MiB, 0));
  say("touched", hbw_verify_memory_region(block + 32 * MiB, MiB, HBW_TOUCH_PAGES));
  hbw_free(block);
}

static void blocks(memkind_t kind, size_t bytes) {
  errno = 0;
  char* block = memkind_malloc(kind, bytes);
  memset(block, 3, bytes);
  say_kind("detect", memkind_detect_kind(block));
  say_kind("arena detect", memkind_arena_detect_kind(block));
  block = memkind_realloc(NULL, block, 5 * bytes);
  say("grown without kind", block[bytes - 1]);
  say_kind("detect", memkind_detect_kind(block));
  block = memkind_realloc(NULL, block, bytes / 4);
  say("shrunk without kind", block[bytes / 4 - 1]);
  say_kind("detect", memkind_detect_kind(block));
  block = memkind_realloc(kind, block, bytes);
  say("kept", !memkind_realloc(kind, block, SIZE_MAX / 2) && block[bytes / 4 - 1] == 3);
  say("errno", errno);
  say("default usable", memkind_default_malloc_usable_size(kind, block) >= bytes);
  block = kind == MEMKIND_DEFAULT ? memkind_default_realloc(kind, block, 2 * bytes)
                                  : memkind_arena_realloc(kind, block, 2 * bytes);
  say("inner realloc", block[bytes / 4 - 1]);
  kind == MEMKIND_DEFAULT ? memkind_default_free(kind, block) : memkind_arena_free(kind, block);
  memkind_arena_free_with_kind_detect(memkind_malloc(kind, bytes));
  block = memtier_kind_malloc(kind, bytes);
  block = memtier_kind_realloc(kind, block, 2 * bytes);
  say("tier's usable", memtier_usable_size(block) >= 2 * bytes);
  say_kind("tier's kind", memkind_detect_kind(block));
  memtier_free(block);
  memtier_free(memkind_malloc(kind, bytes));
  errno = 0;
  say_block("malloc 0", memkind_malloc(kind, 0));
  say_block("realloc 0", memkind_realloc(kind, memkind_malloc(kind, bytes), 0));
  memkind_free(NULL, memkind_malloc(kind, bytes));
}

/* Of memory that is itself a block of malloc's, at whose address the first block of the kind lies. */
static void fixed_kinds(void) {
  enum { BYTES = 32 * MiB };
  memkind_t kind[3];
  void *area[3] = {NULL, NULL, mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)},
       *block[3];
  if (posix_memalign(&area[0], 4096, BYTES) || posix_memalign(&area[1], 4096, BYTES)) exit(1);
  for (int i = 0; i < 3; ++i) say("made", memkind_create_fixed(area[i], BYTES, &kind[i]));
  for (int i = 0; i < 3; ++i) block[i] = memset(memkind_malloc(kind[i], 1000), i, 1000);
  for (int i = 0; i < 3; ++i) {
    say("its kind", memkind_detect_kind(block[i]) == kind[i] && memkind_arena_detect_kind(block[i]) == kind[i]);
    say("usable", memkind_malloc_usable_size(NULL, block[i]) < 2000);
    block[i] = memkind_realloc(NULL, block[i], 100000);
    say("grown in it", memkind_detect_kind(block[i]) == kind[i] && ((char*)block[i])[999] == i);
    memkind_free(i ? kind[i] : NULL, block[i]);
    say("not given back with it", ((char*)area[i])[BYTES - 1] = 1);
    say("destroyed", memkind_destroy_kind(kind[i]));
  }
  free(area[0]);
  free(area[1]);
}

static size_t counted(memkind_t kind, memkind_stat_type what) {
  size_t value = 0;
  if (memkind_update_cached_stats() != 0 || memkind_get_stat(kind, what, &value) != 0) exit(1);
  return value;
}

static void statistics(memkind_t kind) {
  enum { COUNT = 20 };
  for (int size = 0; size < SIZES; ++size) {
    void* block[COUNT];
    const size_t kinds = counted(kind, MEMKIND_STAT_TYPE_ALLOCATED), all = counted(NULL, MEMKIND_STAT_TYPE_ALLOCATED);
    for (int i = 0; i < COUNT; ++i) block[i] = memset(memkind_malloc(kind, sizes[size]), 1, sizes[size]);
    /* Small ones may be of memory that a cache of the thread has already counted. */
    const size_t least = size ? COUNT * sizes[size] : 0, now = counted(kind, MEMKIND_STAT_TYPE_ALLOCATED);
    say("allocated", now >= kinds + least && counted(NULL, MEMKIND_STAT_TYPE_ALLOCATED) >= all + least);
    say("active",
        counted(kind, MEMKIND_STAT_TYPE_ACTIVE) >= least && counted(kind, MEMKIND_STAT_TYPE_RESIDENT) >= least);
    for (int i = 0; i < COUNT; ++i) memkind_free(kind, block[i]);
    say("given back", !size || counted(kind, MEMKIND_STAT_TYPE_ALLOCATED) < kinds + least);
  }
  size_t value = 0;
  say("no such statistic", memkind_get_stat(kind, MEMKIND_STAT_TYPE_MAX_VALUE, &value));
}

int main(void) {
  const memkind_t kinds[] = {MEMKIND_DEFAULT,       MEMKIND_REGULAR, MEMKIND_INTERLEAVE,    MEMKIND_HBW,
                             MEMKIND_HBW_PREFERRED, MEMKIND_HBW_ALL, MEMKIND_HBW_INTERLEAVE};
  policies();
  limits();
  for (int size = 0; size < SIZES; ++size) regions(sizes[size]);
  untouched_region();
  for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind) {
    printf("kind %zu: %d\n", kind, memkind_check_available(kinds[kind]));
    for (int size = 0; size < SIZES; ++size) blocks(kinds[kind], sizes[size]);
  }
  fixed_kinds();
  statistics(MEMKIND_DEFAULT);
  statistics(MEMKIND_HBW);
  errno = 0;
  say_block("realloc of nothing", memkind_realloc(NULL, NULL, 10));
  say_kind("detect null", memkind_detect_kind(NULL));
  say("usable null", memkind_malloc_usable_size(NULL, NULL) + hbw_malloc_usable_size(NULL));
  memkind_free(NULL, NULL);
  return 0;
}
