// System calls on memory nodes, of a process that sees two of them. libnuma and liblbhm.so make them by syscall(2). All
// go on to the next syscall() with a node that the kernel has: wherever LB-HM stands, it hears what a program says.
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "shim/pages.h"
#include "shim/said.h"
#include "shim/tree.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void take(void) { pthread_mutex_lock(&lock); }
static void give(void) { pthread_mutex_unlock(&lock); }

/// A child of a fork has the table as it was, and the lock.
__attribute__((constructor)) static void keep_lock_over_fork(void) { pthread_atfork(take, give, give); }

static const long most_bits = 1024;
static syscall_function next;

static long fail(int error) {
  errno = error;
  return -1;
}

/// The nodes of a call; none for a null pointer. Whoever comes behind us and calls again has what the kernel gets.
static struct said heard(long mode, const unsigned long* nodes) {
  struct said said = {(int)mode, nodes ? nodes[0] : 0};
  from_kernel(&said);
  return said;
}

/// mbind(address, bytes, policy, nodes, bits, flags)
static long bind(syscall_function real, const long* words) {
  const struct said said = heard(words[2], (const unsigned long*)words[3]);
  struct said kernels = said;
  if (!to_kernel(&kernels)) return fail(EINVAL);
  unsigned long mask[16] = {kernels.nodes};
  const long flags = words[5] & ~(long)MPOL_MF_STRICT;
  const long result = real(SYS_mbind, words[0], words[1], (long)kernels.mode, said.nodes ? mask : NULL,
                           said.nodes ? most_bits : 0L, flags);
  if (result != 0) return result;
  const uintptr_t begin = (uintptr_t)words[0];
  take();
  bind_range(begin, begin + (uintptr_t)words[1], first_node(&said),
             (words[5] & (MPOL_MF_MOVE | MPOL_MF_MOVE_ALL)) != 0);
  give();
  return 0;
}

/// set_mempolicy(policy, nodes, bits): of the process, as far as pages are concerned.
static long choose(syscall_function real, const long* words) {
  const struct said said = heard(words[0], (const unsigned long*)words[1]);
  struct said kernels = said;
  if (!to_kernel(&kernels)) return fail(EINVAL);
  unsigned long mask[16] = {kernels.nodes};
  const long result =
      real(SYS_set_mempolicy, (long)kernels.mode, said.nodes ? mask : NULL, said.nodes ? most_bits : 0L);
  if (result != 0) return result;
  take();
  choose_default(first_node(&said));
  give();
  return 0;
}

/// get_mempolicy(policy, nodes, bits, address, flags)
static long tell(syscall_function real, const long* words) {
  int* const mode = (int*)words[0];
  unsigned long* const nodes = (unsigned long*)words[1];
  const size_t count = (size_t)words[2] / (CHAR_BIT * sizeof *nodes);
  struct said said = {0, 3};
  if (words[4] == (MPOL_F_NODE | MPOL_F_ADDR)) {
    take();
    said.mode = node_of_page((uintptr_t)words[3] & ~(uintptr_t)4095);
    give();
  } else if (words[4] != MPOL_F_MEMS_ALLOWED) {
    unsigned long mask[16] = {0};
    const long result = real(SYS_get_mempolicy, &said.mode, mask, most_bits, words[3], words[4]);
    if (result != 0) return result;
    said.nodes = mask[0];
    from_kernel(&said);
  }
  if (mode) *mode = said.mode;
  for (size_t i = 0; nodes && i < count; ++i) nodes[i] = i == 0 ? said.nodes : 0;
  return 0;
}

int kernel_has_policy(uintptr_t page) {
  int mode = MPOL_DEFAULT;
  return next(SYS_get_mempolicy, &mode, NULL, 0L, page, (long)MPOL_F_ADDR) == 0 && mode != MPOL_DEFAULT;
}

/// What was said of the process before it became this program.
__attribute__((constructor)) static void hear_default(void) {
  next = (syscall_function)dlsym(RTLD_NEXT, "syscall");
  unsigned long mask[16] = {0};
  struct said said = {0, 0};
  if (!two_nodes_tree() || next(SYS_get_mempolicy, &said.mode, mask, most_bits, 0L, 0L) != 0) return;
  said.nodes = mask[0];
  from_kernel(&said);
  take();
  choose_default(first_node(&said));
  give();
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
  if (nodes) real(SYS_move_pages, words[0], words[1], words[2], words[3], words[4], words[5]);  // only to be heard
  const long result = real(SYS_move_pages, words[0], words[1], words[2], 0L, words[4], words[5]);
  if (result == 0) answer(words[1], (void**)words[2], nodes, (int*)words[4]);
  return result;
}

/// libc's own functions, as realloc, do not come here: blocks that they move are not bound on these nodes.
__attribute__((visibility("default"))) void* mremap(void* old, size_t old_bytes, size_t bytes, int flags, ...) {
  typedef void* remap_function(void*, size_t, size_t, int, ...);
  static remap_function* real;
  if (!real) real = (remap_function*)dlsym(RTLD_NEXT, "mremap");
  va_list rest;
  va_start(rest, flags);
  void* const wanted = va_arg(rest, void*);
  va_end(rest);
  const uintptr_t page = 4096, from = (uintptr_t)old;
  old_bytes = (old_bytes + page - 1) & ~(page - 1);
  const int follow = two_nodes_tree() != NULL && from % page == 0 && old_bytes > 0;
  take();
  if (follow) know_range(from, from + old_bytes);
  give();
  void* const fresh = real(old, old_bytes, bytes, flags, wanted);
  if (follow && fresh != MAP_FAILED) {
    const int before = errno;
    take();
    remap_range(from, old_bytes, (uintptr_t)fresh, (bytes + page - 1) & ~(page - 1));
    give();
    errno = before;
  }
  return fresh;
}

__attribute__((visibility("default"))) long syscall(long number, ...) {
  if (!next) next = (syscall_function)dlsym(RTLD_NEXT, "syscall");
  const syscall_function real = next;
  long words[6];
  va_list rest;
  va_start(rest, number);
  for (int i = 0; i < 6; ++i) words[i] = va_arg(rest, long);
  va_end(rest);
  if (two_nodes_tree()) {
    if (number == SYS_mbind) return bind(real, words);
    if (number == SYS_set_mempolicy) return choose(real, words);
    if (number == SYS_get_mempolicy) return tell(real, words);
    if (number == SYS_move_pages && (words[0] == 0 || words[0] == getpid())) return move(real, words);
  }
  return real(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
