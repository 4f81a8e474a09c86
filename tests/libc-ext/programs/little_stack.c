// "threads": threads with the smallest stacks, and coroutines on 8 to 12 KiB, allocate, and the threads start programs
// and open libraries, too. "arenas": is a small block of a place that asks for many in an arena?
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

enum { page = 4096, small_rounds = 3000, large = 300000 };

static long total;

__attribute__((noinline)) static void work(int depth) {
  if (depth > 0) {
    work(depth - 1);
    __asm__ volatile("");
    return;
  }
  long sum = 0;
  for (int i = 0; i < small_rounds; ++i) {
    char* blocks[8];
    for (int k = 0; k < 8; ++k) sum += *(blocks[k] = memset(malloc(200 + (size_t)k), 1, 100));
    for (int k = 0; k < 8; ++k) free(blocks[k]);
    if (i % 100) continue;
    char* block = calloc(large, 1);
    block = realloc(block, 2 * large);
    sum += block[large - 1] + 1;
    free(block);
    char* const mapped = mmap(0, large, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    sum += mapped[large - 1];
    munmap(mapped, large);
  }
  __atomic_add_fetch(&total, sum, __ATOMIC_RELAXED);
}

static void* thread(void* nothing) {
  pid_t child = 0;
  if (posix_spawn(&child, "/bin/true", NULL, NULL, (char*[]){"true", NULL}, environ) || waitpid(child, NULL, 0) < 0)
    exit(1);
  if (!dlopen("libdl.so.2", RTLD_NOW)) exit(1);
  work(3);
  return nothing;
}

static ucontext_t back, there;
static void coroutine(void) { work(3); }

static int threads(void) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 4 * page);  // PTHREAD_STACK_MIN
  for (int i = 0; i < 4; ++i) {
    pthread_t two[2];
    for (int k = 0; k < 2; ++k)
      if (pthread_create(&two[k], &attributes, thread, NULL)) return puts("no thread"), 1;
    for (int k = 0; k < 2; ++k) pthread_join(two[k], NULL);
  }
  for (size_t bytes = 3 * page; bytes >= 2 * page; bytes -= page) {
    char* const stack = mmap(0, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(stack, page, PROT_NONE);
    getcontext(&there);
    there.uc_stack.ss_sp = stack + page;
    there.uc_stack.ss_size = bytes;
    there.uc_link = &back;
    makecontext(&there, coroutine, 0);
    swapcontext(&back, &there);
  }
  return puts(total == 10 * (8L * small_rounds + small_rounds / 100) ? "right" : "wrong"), 0;
}

static int arenas(void) {
  size_t size = 0;
  for (int i = 0; i < 100000; ++i) {
    void* const block = memset(malloc(41), 1, 41);
    size = malloc_usable_size(block);
    free(block);
  }
  return puts(size == 48 ? "arena" : "malloc's"), 0;  // malloc gives 56
}

int main(int argc, char** argv) {
#pragma omp parallel
  __atomic_add_fetch(&total, 0, __ATOMIC_RELAXED);
  return argc > 1 && !strcmp(argv[1], "arenas") ? arenas() : threads();
}
