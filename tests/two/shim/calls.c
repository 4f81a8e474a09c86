// System calls on memory nodes, of a process that sees two of them. liblbhm.so makes them by syscall(2).
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/pages.h"
#include "shim/tree.h"

typedef long (*syscall_function)(long, ...);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take(void) { pthread_mutex_lock(&lock); }
static void give(void) { pthread_mutex_unlock(&lock); }

/// A child of a fork has the table as it was, and the lock.
__attribute__((constructor)) static void keep_lock_over_fork(void) { pthread_atfork(take, give, give); }

static long fail(int error) {
  errno = error;
  return -1;
}

/// mbind(address, bytes, policy, nodes, ...). The first of the nodes is where pages appear.
static long bind(const long* words) {
  const unsigned long* const nodes = (const unsigned long*)words[3];
  const int node = nodes && (nodes[0] & 3) == 2;
  take();
  bind_range((uintptr_t)words[0], (uintptr_t)words[0] + (uintptr_t)words[1], node);
  give();
  return 0;
}

/// get_mempolicy(policy, nodes, bits, address, MPOL_F_MEMS_ALLOWED)
static long allowed(const long* words) {
  unsigned long* const nodes = (unsigned long*)words[1];
  memset(nodes, 0, (size_t)words[2] / CHAR_BIT);
  nodes[0] = 3;
  return 0;
}

/// move_pages(0, count, pages, nodes, status, flags) where the kernel has told which pages are there.
static void answer(long count, void** pages, const int* nodes, int* status) {
  take();
  for (long i = 0; i < count; ++i) {
    const uintptr_t page = (uintptr_t)pages[i] & ~(uintptr_t)4095;
    if (status[i] == -ENOENT) forget_page(page);
    if (status[i] < 0) continue;
    if (nodes) move_page(page, nodes[i]);
    status[i] = node_of_page(page);
  }
  give();
}

static long move(syscall_function real, const long* words) {
  const int* const nodes = (const int*)words[3];
  for (long i = 0; nodes && i < words[1]; ++i)
    if (nodes[i] < 0 || nodes[i] >= nodes_shown) return fail(ENODEV);
  const long result = real(SYS_move_pages, words[0], words[1], words[2], 0L, words[4], words[5]);
  if (result == 0) answer(words[1], (void**)words[2], nodes, (int*)words[4]);
  return result;
}

__attribute__((visibility("default"))) long syscall(long number, ...) {
  static syscall_function real;
  if (!real) real = (syscall_function)dlsym(RTLD_NEXT, "syscall");
  long words[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) words[i] = va_arg(rest, long);
  va_end(rest);
  if (two_nodes_tree()) {
    if (number == SYS_mbind) return bind(words);
    if (number == SYS_get_mempolicy && words[4] == MPOL_F_MEMS_ALLOWED) return allowed(words);
    if (number == SYS_move_pages && words[0] == 0) return move(real, words);
  }
  return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
