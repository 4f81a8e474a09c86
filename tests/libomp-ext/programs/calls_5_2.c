/* Every allocator call of OpenMP 5.2, with every trait and space: each answer as the runtime alone gives it. */
#include "output.h"

static omp_allocator_handle_t with(omp_memspace_handle_t space, int key, uintptr_t value) {
  omp_alloctrait_t one[1] = {trait((omp_alloctrait_key_t)key, value)};
  return omp_init_allocator(space, key != 0, one);
}

/* Which of the calls give good memory, a bit each. */
static int calls(omp_allocator_handle_t a) {
  unsigned char* p[] = {omp_alloc(3000, a), omp_aligned_alloc(512, 3000, a), omp_calloc(30, 100, a),
                        omp_aligned_calloc(512, 30, 100, a), omp_realloc(NULL, 3000, a, omp_null_allocator)};
  int good = 0;
  for (int i = 0; i < 5; ++i) {
    const int zeroed = i == 2 || i == 3, aligned = i == 1 || i == 3;
    if (!p[i] || (aligned && (uintptr_t)p[i] % 512 != 0) || (zeroed && !all_bytes(p[i], 3000, 0))) continue;
    memset(p[i], i, 3000);
    p[i] = omp_realloc(p[i], i % 2 ? 9000 : 100, a, a);
    if (p[i] && all_bytes(p[i], i % 2 ? 3000 : 100, (unsigned char)i)) good |= 1 << i;
    omp_free(p[i], a);
  }
  if (omp_alloc(0, a) || omp_calloc(0, 5, a) || omp_aligned_alloc(64, 0, a)) good |= 32;
  omp_free(NULL, a);
  void* last = omp_alloc(10, a);
  if (last && !omp_realloc(last, 0, a, a)) good |= 64;
  return good;
}

static void show(const char* what, long which, omp_allocator_handle_t a) {
  printf("%s %ld: allocator %d, memory %d\n", what, which, a != omp_null_allocator, calls(a));
  omp_destroy_allocator(a);
}

static void clauses(omp_allocator_handle_t a) {
  int sum = 0, x = 7;
#pragma omp parallel num_threads(2) firstprivate(x) allocate(a : x) reduction(+ : sum)
  {
    int y[100];
#pragma omp allocate(y) allocator(omp_thread_mem_alloc)
    for (int i = 0; i < 100; ++i) y[i] = x;
    sum += y[99] + (omp_get_default_allocator() == a);
  }
  FACT("allocate clause and directive", sum);
}

int main(void) {
  for (int a = 0; a <= 8; ++a) show("predefined", a, (omp_allocator_handle_t)a);
  for (int space = 0; space <= 4; ++space) show("space", space, with((omp_memspace_handle_t)space, 0, 0));
  for (int key = 1; key <= 8; ++key) {
    for (long value = -1; value <= 19; ++value) {
      const int fallback = key == omp_atk_fallback, alignment = key == omp_atk_alignment;
      if (fallback && (value < omp_atv_default_mem_fb || value > omp_atv_abort_fb)) continue; /* aborts */
      if (alignment && (value < 0 || (value & (value - 1)))) continue;                        /* so does this */
      show("trait", key * 100 + value, with((omp_memspace_handle_t)0, key, (uintptr_t)value));
    }
  }
  for (int fallback = omp_atv_default_mem_fb; fallback <= omp_atv_allocator_fb; ++fallback) {
    if (fallback == omp_atv_abort_fb) continue;
    const omp_allocator_handle_t next = pool_allocator(7000, omp_atv_null_fb, omp_null_allocator);
    show("fallback", fallback, pool_allocator(5000, (omp_alloctrait_value_t)fallback, next));
    omp_destroy_allocator(next);
  }
  const omp_allocator_handle_t a = with((omp_memspace_handle_t)0, omp_atk_alignment, 128);
  FACT("default at first", omp_get_default_allocator());
  omp_set_default_allocator(a);
  FACT("default", omp_get_default_allocator() == a);
  FACT("aligned by the default", (uintptr_t)omp_alloc(5, omp_null_allocator) % 128);
  clauses(a);
  omp_set_default_allocator(omp_null_allocator);
  FACT("default after null", omp_get_default_allocator());
  omp_destroy_allocator(a);
  return 0;
}
