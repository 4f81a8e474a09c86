/* LB-HM's traits for OpenMP allocators. C11, C++11 and later; clang and gcc. Nothing to link.
 *
 *     omp_alloctrait_t traits[] = {lbhm_managed(true), lbhm_name("matrix"), lbhm_pattern_hint(lbhm_pattern_stream)};
 *     omp_allocator_handle_t a = lbhm_init_allocator(omp_default_mem_space, 3, traits);
 *     double *x = (double *)omp_alloc(bytes, a);
 *
 * Use lbhm_init_allocator instead of omp_init_allocator: libomp ends the program when it meets a key that it does not
 * know, so the traits below are left out when LB-HM is not loaded. Standard traits may stand in the same list.
 * docs/allocators.md has the whole story.
 */
#pragma once

/* C has neither nullptr nor types of enumerations: NOLINTBEGIN(modernize-use-nullptr, performance-enum-size) */

#include <dlfcn.h>
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Keys of our traits: 32-bit numbers, far above OpenMP's own (1 to 16 in 6.0). "LB" in the upper half. */
#define LBHM_ATK_FIRST 0x4c420001u
#define LBHM_ATK_MANAGED 0x4c420001u
#define LBHM_ATK_TIER_HINT 0x4c420002u
#define LBHM_ATK_PATTERN_HINT 0x4c420003u
#define LBHM_ATK_GROUP 0x4c420004u
#define LBHM_ATK_NAME 0x4c420005u
#define LBHM_ATK_SENSITIVITY 0x4c420006u
#define LBHM_ATK_MIGRATABLE 0x4c420007u
#define LBHM_ATK_LAST 0x4c420007u

/* How a program walks through the memory. */
enum lbhm_pattern {
  lbhm_pattern_stream = 1, /* neighbouring elements, one after the other */
  lbhm_pattern_strided,    /* a fixed distance between elements */
  lbhm_pattern_stencil,    /* an element and its neighbours in a grid */
  lbhm_pattern_random      /* anything: gather, hash table, graph, list */
};

/* What slows the program down when the memory is slow. */
enum lbhm_sensitivity_kind { lbhm_bandwidth = 1, lbhm_latency };

/* The key goes in by memcpy: as an enumerator it would be outside the range of OpenMP's enumeration, which constant
 * expressions and the undefined-behaviour sanitizer reject. */
static inline omp_alloctrait_t lbhm_trait(uint32_t key, uintptr_t value) {
  omp_alloctrait_t trait;
  memset(&trait, 0, sizeof trait);
  memcpy(&trait.key, &key, sizeof key);
  trait.value = value;
  return trait;
}

static inline uint32_t lbhm_trait_key(const omp_alloctrait_t* trait) {
  uint32_t key;
  memcpy(&key, &trait->key, sizeof key);
  return key;
}

/* true: LB-HM may choose and change the tier of the allocator's objects. Without it the other traits have no effect. */
static inline omp_alloctrait_t lbhm_managed(bool managed) { return lbhm_trait(LBHM_ATK_MANAGED, managed ? 1 : 0); }

/* The tier where objects should start: 0 is the fastest; -1, the default, leaves it to the policy. At most 254. */
static inline omp_alloctrait_t lbhm_tier_hint(int tier) {
  return lbhm_trait(LBHM_ATK_TIER_HINT, (uintptr_t)(intptr_t)tier);
}

static inline omp_alloctrait_t lbhm_pattern_hint(enum lbhm_pattern pattern) {
  return lbhm_trait(LBHM_ATK_PATTERN_HINT, (uintptr_t)pattern);
}

/* Objects of one group belong together (arrays of one structure): they begin in one memory, and lbhm optimize places
 * them as one. Any number from 0; no group is the default. */
static inline omp_alloctrait_t lbhm_group(int group) { return lbhm_trait(LBHM_ATK_GROUP, (uintptr_t)(intptr_t)group); }

/* The name of the objects in reports; copied by omp_init_allocator. */
static inline omp_alloctrait_t lbhm_name(const char* name) { return lbhm_trait(LBHM_ATK_NAME, (uintptr_t)name); }

/* Which memory is the fast one for the objects, where latency and bandwidth name different ones (HBM). */
static inline omp_alloctrait_t lbhm_sensitivity(enum lbhm_sensitivity_kind kind) {
  return lbhm_trait(LBHM_ATK_SENSITIVITY, (uintptr_t)kind);
}

/* false: the objects stay in the tier where they were first touched. The default is true. */
static inline omp_alloctrait_t lbhm_migratable(bool migratable) {
  return lbhm_trait(LBHM_ATK_MIGRATABLE, migratable ? 1 : 0);
}

/* True if LB-HM's allocators are in the process, linked or preloaded. dlsym and not a weak reference: a linker may
 * settle a weak reference to "absent" for good. The null handle is RTLD_DEFAULT, which strict C11 does not name. */
static inline bool lbhm_present(void) { return dlsym(NULL, "lbhm_is_loaded") != NULL; }

/* At most this many traits other than ours reach omp_init_allocator by way of lbhm_init_allocator. */
#define LBHM_MAX_TRAITS 64

/* True if the OpenMP runtime knows what a program compiled for OpenMP 6.0 asks of it. */
static inline bool lbhm_knows_openmp6(void) { return dlsym(NULL, "omp_get_submemspace") != NULL; }

/* omp_init_allocator for lists with our traits: without LB-HM they are left out, and so is what an older runtime does
 * not know of OpenMP 6.0 (keys above 8, omp_default_mem_space as 99). Also returns omp_null_allocator for more than
 * LBHM_MAX_TRAITS traits. */
static inline omp_allocator_handle_t lbhm_init_allocator(omp_memspace_handle_t space, int ntraits,
                                                         const omp_alloctrait_t* traits) {
  omp_alloctrait_t kept[LBHM_MAX_TRAITS];
  const bool present = lbhm_present(), all = present || lbhm_knows_openmp6();
  int count = 0;
  for (int i = 0; i < ntraits; ++i) {
    const uint32_t key = lbhm_trait_key(&traits[i]);
    const bool ours = key >= LBHM_ATK_FIRST && key <= LBHM_ATK_LAST;
    if (ours ? !present : !all && key > 8) continue;
    if (count == LBHM_MAX_TRAITS) return omp_null_allocator;
    memcpy(&kept[count++], &traits[i], sizeof *traits);
  }
  if (!all && (uintptr_t)space == 99) space = (omp_memspace_handle_t)0;
  return omp_init_allocator(space, count, kept);
}

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-nullptr, performance-enum-size) */
