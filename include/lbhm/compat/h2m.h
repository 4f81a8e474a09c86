/* H2M's names over LB-HM: a program that was written for H2M's allocation abstraction (Klinkenberg et al., FGCS 148,
 * 2023; CLUSTER '24) compiles with this header in place of h2m.h, and LB-HM places its memory. C11, C++11 and later.
 *
 *     int error;
 *     h2m_alloc_trait_t traits[] = {{h2m_atk_req_mem_space, {h2m_atv_mem_space_hbw}}};
 *     double* x = (double*)h2m_alloc_w_traits(bytes, &error, 1, traits);
 *     h2m_phase_transition("solve");
 *
 * Nothing to link beyond OpenMP; without LB-HM in the process it is omp_alloc, and phases are none. What is not here
 * does not compile: no trait is taken and ignored. docs/h2m.md says what is there.
 */
#pragma once

/* C has neither nullptr nor types of enumerations: NOLINTBEGIN(modernize-use-nullptr, performance-enum-size) */

#include "../lbhm.h"
#include "../omp_traits.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { H2M_SUCCESS = 0, H2M_FAILURE = 1 };

typedef enum h2m_alloc_trait_key_t {
  h2m_atk_req_mem_space = 1, /* prescriptive: in one of these spaces, where it stays, or nowhere */
  h2m_atk_pref_mem_space,    /* it begins there if there is room, and may move */
  h2m_atk_mem_alignment      /* a power of two, as `sz` */
} h2m_alloc_trait_key_t;

/* Memory spaces; several together are any of them. */
typedef enum h2m_alloc_trait_value_t {
  h2m_atv_mem_space_hbw = 1,
  h2m_atv_mem_space_low_lat = 2,
  h2m_atv_mem_space_large_cap = 4
} h2m_alloc_trait_value_t;

typedef struct h2m_alloc_trait_t {
  h2m_alloc_trait_key_t key;
  union {
    int i;
    size_t sz;
    h2m_alloc_trait_value_t atv;
  } value;
} h2m_alloc_trait_t;

/* What the traits of a list say together. */
struct lbhm_h2m_wish {
  unsigned required, preferred; /* masks of spaces; 0: nothing said */
  size_t alignment;
};

enum { lbhm_h2m_all_spaces = 7 };

static inline int lbhm_h2m_read(int count, const h2m_alloc_trait_t* traits, struct lbhm_h2m_wish* wish) {
  wish->required = wish->preferred = 0;
  wish->alignment = 0;
  for (int i = 0; i < count; ++i) {
    const int spaces = (int)traits[i].value.atv;
    const int is_mask = spaces > 0 && spaces <= lbhm_h2m_all_spaces;
    switch (traits[i].key) {
      case h2m_atk_req_mem_space:
        wish->required = (unsigned)spaces;
        if (!is_mask) return 0;
        break;
      case h2m_atk_pref_mem_space:
        wish->preferred = (unsigned)spaces;
        if (!is_mask) return 0;
        break;
      case h2m_atk_mem_alignment:
        wish->alignment = traits[i].value.sz;
        if (wish->alignment == 0 || (wish->alignment & (wish->alignment - 1)) != 0) return 0;
        break;
      default:
        return 0;
    }
  }
  if (wish->required == lbhm_h2m_all_spaces) wish->required = 0; /* anywhere */
  if (wish->preferred == lbhm_h2m_all_spaces) wish->preferred = 0;
  return 1;
}

/* The n-th space of a mask, in the order of the enumeration. */
static inline omp_memspace_handle_t lbhm_h2m_space(unsigned one) {
  if (one & h2m_atv_mem_space_hbw) return omp_high_bw_mem_space;
  return one & h2m_atv_mem_space_low_lat ? omp_low_lat_mem_space : omp_large_cap_mem_space;
}

/* With LB-HM blocks outlive their allocators; libomp looks into the allocator when it frees one. */
static inline void* lbhm_h2m_from(omp_memspace_handle_t space, int managed, size_t bytes, size_t alignment) {
  omp_alloctrait_t traits[3];
  int count = 0;
  traits[count].key = omp_atk_fallback;
  traits[count++].value = omp_atv_null_fb;
  if (managed) traits[count++] = lbhm_managed(true);
  if (alignment > 0) {
    traits[count].key = omp_atk_alignment;
    traits[count++].value = alignment;
  }
  const omp_allocator_handle_t allocator = lbhm_init_allocator(space, count, traits);
  void* const block = allocator == omp_null_allocator ? NULL : omp_alloc(bytes, allocator);
  if (allocator != omp_null_allocator) omp_destroy_allocator(allocator);
  return block;
}

/* NULL, and *error says H2M_FAILURE: a trait is none, or a required space has no room. */
static inline void* h2m_alloc_w_traits(size_t bytes, int* error, int count, const h2m_alloc_trait_t* traits) {
  struct lbhm_h2m_wish wish;
  void* block = NULL;
  if (lbhm_h2m_read(count, traits, &wish)) {
    if (!lbhm_present()) {
      block = omp_aligned_alloc(wish.alignment ? wish.alignment : sizeof(void*), bytes, omp_default_mem_alloc);
    } else if (wish.required != 0) {
      for (unsigned one = 1; !block && one <= lbhm_h2m_all_spaces; one <<= 1)
        if (wish.required & one) block = lbhm_h2m_from(lbhm_h2m_space(one), 0, bytes, wish.alignment);
    } else {
      const unsigned first = wish.preferred & (0U - wish.preferred);
      block = lbhm_h2m_from(first ? lbhm_h2m_space(first) : omp_default_mem_space, 1, bytes, wish.alignment);
    }
  }
  if (error) *error = block ? H2M_SUCCESS : H2M_FAILURE;
  return block;
}

static inline void* h2m_alloc(size_t bytes, int* error) { return h2m_alloc_w_traits(bytes, error, 0, NULL); }

static inline int h2m_free(void* block) {
  omp_free(block, omp_null_allocator);
  return H2M_SUCCESS;
}

/* The object goes to the first space named, now; the program waits for the copy. Alignment cannot change any more. */
static inline int h2m_update_traits(void* block, size_t bytes, int count, const h2m_alloc_trait_t* traits) {
  struct lbhm_h2m_wish wish;
  (void)bytes; /* the whole object */
  if (!lbhm_h2m_read(count, traits, &wish) || wish.alignment != 0) return H2M_FAILURE;
  const unsigned spaces = wish.required ? wish.required : wish.preferred;
  if (spaces == 0 || !lbhm_move) return H2M_SUCCESS;
  const int memory = spaces & h2m_atv_mem_space_hbw       ? LBHM_HIGH_BANDWIDTH
                     : spaces & h2m_atv_mem_space_low_lat ? LBHM_LOW_LATENCY
                                                          : LBHM_LARGE_CAPACITY;
  return lbhm_move(block, memory) == 0 ? H2M_SUCCESS : H2M_FAILURE;
}

static inline int h2m_phase_transition(const char* name) {
  if (lbhm_phase_transition) lbhm_phase_transition(name);
  return H2M_SUCCESS;
}

/* LB-HM begins and ends by itself. */
static inline int h2m_init(void) { return H2M_SUCCESS; }
static inline int h2m_finalize(void) { return H2M_SUCCESS; }

#ifdef __cplusplus
}
#endif
/* NOLINTEND(modernize-use-nullptr, performance-enum-size) */
