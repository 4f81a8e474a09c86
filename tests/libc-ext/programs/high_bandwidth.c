/* A program for machines with high-bandwidth memory: memkind's interface, every word of the command line a case. It
 * ends with 1 and a line when something is not as libmemkind's manual has it. */
#include <errno.h>
#include <hbwmalloc.h>
#include <memkind.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                        \
  do {                                                                     \
    if (!(what)) {                                                         \
      printf("line %d: %s is false (errno %d)\n", __LINE__, #what, errno); \
      exit(1);                                                             \
    }                                                                      \
  } while (0)

enum { KiB = 1024, MiB = 1024 * KiB };
static const size_t sizes[] = {8, 5000, 64 * KiB - 1, 64 * KiB, 200 * KiB + 1, 5 * MiB};
enum { count = sizeof sizes / sizeof *sizes };

static void fill(void* block, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; ++i) ((unsigned char*)block)[i] = (unsigned char)(i * 131 + i / 4096 + seed);
}
static int holds(const void* block, size_t bytes, unsigned seed) {
  for (size_t i = 0; i < bytes; ++i) {
    if (((const unsigned char*)block)[i] != (unsigned char)(i * 131 + i / 4096 + seed)) return 0;
  }
  return 1;
}
static int is_zero(const void* block, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i) {
    if (((const unsigned char*)block)[i] != 0) return 0;
  }
  return 1;
}

/* An object has the size that was asked for. */
static int is_object(size_t got, size_t bytes) { return got == bytes; }

static void contents(memkind_t kind) {
  for (int from = 0; from < count; ++from) {
    for (int to = 0; to < count; ++to) {
      void* block = memkind_malloc(kind, sizes[from]);
      CHECK(block && memkind_malloc_usable_size(kind, block) >= sizes[from]);
      fill(block, sizes[from], 1);
      block = memkind_realloc(kind, block, sizes[to]);
      CHECK(block && holds(block, sizes[from] < sizes[to] ? sizes[from] : sizes[to], 1));
      fill(block, sizes[to], 2);
      memkind_free(to % 2 ? kind : NULL, block);
    }
    for (int round = 0; round < 3; ++round) {
      void* zeros = memkind_calloc(kind, sizes[from], 1);
      CHECK(zeros && is_zero(zeros, sizes[from]));
      fill(zeros, sizes[from], 3);
      memkind_free(kind, zeros);
    }
    void* aligned = NULL;
    CHECK(memkind_posix_memalign(kind, &aligned, 16 * KiB, sizes[from]) == 0 && (uintptr_t)aligned % (16 * KiB) == 0);
    fill(aligned, sizes[from], 4);
    memkind_free(kind, aligned);
    CHECK(memkind_posix_memalign(kind, &aligned, 24, sizes[from]) == EINVAL);
  }
  void* moving = memkind_realloc(kind, NULL, MiB);
  CHECK(moving && memkind_realloc(kind, moving, 0) == NULL);
}

static void kinds(void) {
  contents(MEMKIND_DEFAULT);
  contents(MEMKIND_REGULAR);
  contents(MEMKIND_HBW);
  contents(MEMKIND_HBW_PREFERRED);
  contents(MEMKIND_HIGHEST_CAPACITY);
  contents(MEMKIND_DAX_KMEM_PREFERRED);
  CHECK(memkind_check_available(MEMKIND_DEFAULT) == 0 && memkind_check_available(MEMKIND_HBW) == 0);
  CHECK(memkind_check_available(MEMKIND_DAX_KMEM) == 0);
}

static void hbw(void) {
  CHECK(hbw_check_available() == 0 && hbw_get_policy() == HBW_POLICY_PREFERRED);
  CHECK(hbw_set_policy((hbw_policy_t)9) == EINVAL && hbw_set_policy(HBW_POLICY_BIND) == 0);
  CHECK(hbw_get_policy() == HBW_POLICY_BIND && hbw_set_policy(HBW_POLICY_INTERLEAVE) == EPERM);
  for (int from = 0; from < count; ++from) {
    void* block = hbw_malloc(sizes[from]);
    CHECK(block && hbw_malloc_usable_size(block) >= sizes[from]);
    fill(block, sizes[from], 5);
    block = hbw_realloc(block, 3 * sizes[from]);
    CHECK(block && holds(block, sizes[from], 5));
    hbw_free(block);
    block = hbw_calloc(2, sizes[from]);
    CHECK(block && is_zero(block, 2 * sizes[from]));
    hbw_free(block);
    CHECK(hbw_posix_memalign(&block, 128, sizes[from]) == 0 && (uintptr_t)block % 128 == 0);
    hbw_free(block);
    CHECK(hbw_posix_memalign_psize(&block, 64, sizes[from], HBW_PAGESIZE_2MB) == 0);
    CHECK((uintptr_t)block % (2 * MiB) == 0);
    hbw_free(block);
  }
  hbw_free(NULL);
  void* none = NULL;
  CHECK(hbw_posix_memalign_psize(&none, 64, MiB, HBW_PAGESIZE_1GB_STRICT) == EINVAL);
  CHECK(!hbw_malloc(SIZE_MAX / 2 + 1) && !hbw_calloc(SIZE_MAX / 2, 4));
  char* region = hbw_malloc(MiB);
  memset(region, 1, MiB);
  CHECK(hbw_verify_memory_region(NULL, 1, 0) == EINVAL && hbw_verify_memory_region(region, 0, 0) == EINVAL);
  hbw_free(region);
}

/* Blocks that are objects, and what free and others make of them. */
static void objects(void) {
  char* fast = hbw_malloc(MiB + 1);
  char* large = memkind_malloc(MEMKIND_HIGHEST_CAPACITY, MiB + 1);
  CHECK(is_object(hbw_malloc_usable_size(fast), MiB + 1));
  CHECK(is_object(memkind_malloc_usable_size(NULL, large), MiB + 1));
  CHECK(memkind_detect_kind(fast) == MEMKIND_HBW_PREFERRED && memkind_detect_kind(large) == MEMKIND_HIGHEST_CAPACITY);
  CHECK(hbw_verify_memory_region(fast, MiB, HBW_TOUCH_PAGES) == 0);
  CHECK(memkind_defrag_reallocate(MEMKIND_HBW, fast) == NULL);
  large = memkind_realloc(NULL, large, 3 * MiB + 1);
  CHECK(memkind_detect_kind(large) == MEMKIND_HIGHEST_CAPACITY);
  memkind_free(NULL, fast);
  free(large);
  void* plain = malloc(MiB + 1);
  CHECK(memkind_detect_kind(plain) == MEMKIND_DEFAULT);
  hbw_free(plain);
}

/* A kind that the program makes is libmemkind's. */
static void own_kinds(void) {
  static char memory[64 * MiB] __attribute__((aligned(4096)));
  memkind_t fixed = NULL;
  CHECK(memkind_create_fixed(memory, sizeof memory, &fixed) == MEMKIND_SUCCESS);
  for (int i = 0; i < count; ++i) {
    char* block = memkind_malloc(fixed, sizes[i]);
    CHECK(block >= memory && block < memory + sizeof memory && memkind_detect_kind(block) == fixed);
    fill(block, sizes[i], 6);
    block = memkind_realloc(fixed, block, 2 * sizes[i]);
    CHECK(block >= memory && block < memory + sizeof memory && holds(block, sizes[i], 6));
    memkind_free(i % 2 ? NULL : fixed, block);
  }
  CHECK(memkind_destroy_kind(fixed) == MEMKIND_SUCCESS);
}

int main(int words, char** word) {
  for (int i = 1; i < words; ++i) {
    if (!strcmp(word[i], "kinds")) kinds();
    if (!strcmp(word[i], "hbw")) hbw();
    if (!strcmp(word[i], "objects")) objects();
    if (!strcmp(word[i], "own-kinds")) own_kinds();
    if (!strcmp(word[i], "default")) contents(MEMKIND_DEFAULT);
    printf("%s: right\n", word[i]);
  }
}
