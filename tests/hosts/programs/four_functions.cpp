// A program that has malloc, calloc, realloc and free, as glibc's manual has it for the least, and no more of the
// family. Its free ends the program for a block that is not its own.
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

static char memory[256 << 20];
static std::uintptr_t used;

static bool is_own(const void* block) {
  const auto at = reinterpret_cast<std::uintptr_t>(block), first = reinterpret_cast<std::uintptr_t>(memory);
  return at >= first && at < first + sizeof(memory);
}

extern "C" {

void* malloc(size_t bytes) noexcept {
  const std::uintptr_t whole = (bytes + 31) & ~std::uintptr_t{15};
  const std::uintptr_t at = __atomic_fetch_add(&used, whole, __ATOMIC_RELAXED);
  if (at + whole > sizeof(memory)) return nullptr;
  char* block = memory + at + 16 - reinterpret_cast<std::uintptr_t>(memory) % 16;
  memcpy(block - 16, &bytes, sizeof(bytes));
  return block;
}

void free(void* block) noexcept {
  static const char words[] = "free of a foreign block\n";
  if (block && !is_own(block)) _exit(write(2, words, sizeof(words) - 1) > 0 ? 99 : 98);
}

void* calloc(size_t count, size_t bytes) noexcept { return malloc(count * bytes); }

void* realloc(void* block, size_t bytes) noexcept {
  void* fresh = malloc(bytes);
  if (block && fresh) {
    size_t before;
    memcpy(&before, static_cast<char*>(block) - 16, sizeof(before));
    memcpy(fresh, block, before < bytes ? before : bytes);
  }
  free(block);
  return fresh;
}

}  // extern "C"

int main() {
  long sum = 0;
  char* block = static_cast<char*>(malloc(1 << 20));
  memset(block, 1, 1 << 20);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1 << 20; ++i) sum += block[i];
  block = static_cast<char*>(realloc(block, 2 << 20));
  printf("%ld %d\n", sum, is_own(block));
  free(block);
}
