// Large blocks from several ways to one line, through a library that calls back.
#include <alloca.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void apply(void (*work)(int), int number);  // of the library
int omp_get_max_threads(void);              // libomp is there

void* blocks[64];
static int count;

__attribute__((noinline)) static void allocate(int pages) {
  blocks[count++] = malloc((size_t)pages << 16);
  __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) static void inner(int pages) {
  allocate(pages);
  __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) static void first(int pages) {
  apply(inner, pages);
  __asm__ volatile("" ::: "memory");
}
__attribute__((noinline)) static void second(int pages) {
  char room[pages * 100];  // moves the stack pointer
  memset(room, 1, sizeof room);
  apply(inner, pages);
  __asm__ volatile("" ::"r"(room) : "memory");
}
static void* thread(void* data) {
  first(2);
  second(3);
  return data;
}

int main(void) {
  const char* const deep = getenv("DEEP");
  volatile char* const room = alloca(deep ? (size_t)atol(deep) : 1);
  *room = 1;
  first(1);
  second(4);
  for (int i = 0; i < 2; ++i) {
    pthread_t other;
    pthread_create(&other, NULL, thread, NULL);
    pthread_join(other, NULL);
  }
  return omp_get_max_threads() < 1;
}
