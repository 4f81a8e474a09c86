/* What all programs of this folder print: a line a fact, the same on every OpenMP runtime that is right. */
#pragma once

#include <omp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define FACT(name, value) printf("%s: %ld\n", name, (long)(value))

static inline omp_alloctrait_t trait(omp_alloctrait_key_t key, uintptr_t value) {
  omp_alloctrait_t t;
  memset(&t, 0, sizeof t);
  t.key = key;
  t.value = value;
  return t;
}

/* An allocator with a pool, a fallback and perhaps the allocator to fall back to. */
static inline omp_allocator_handle_t pool_allocator(size_t bytes, omp_alloctrait_value_t fallback,
                                                    omp_allocator_handle_t next) {
  omp_alloctrait_t traits[3] = {trait(omp_atk_pool_size, bytes), trait(omp_atk_fallback, (uintptr_t)fallback),
                                trait(omp_atk_fb_data, (uintptr_t)next)};
  return omp_init_allocator(omp_default_mem_space, fallback == omp_atv_allocator_fb ? 3 : 2, traits);
}

/* 1 if all bytes have the value. */
static inline int all_bytes(const void* memory, size_t bytes, unsigned char value) {
  const unsigned char* p = (const unsigned char*)memory;
  for (size_t i = 0; i < bytes; ++i) {
    if (p[i] != value) return 0;
  }
  return 1;
}

/* The signal that ends a child process which allocates, 0 if it comes back. */
static inline int signal_of_allocation(size_t bytes, omp_allocator_handle_t allocator) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    fclose(stderr); /* the runtime's words about the abort */
    close(2);
    void* volatile p = omp_alloc(bytes, allocator);
    (void)p;
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}
