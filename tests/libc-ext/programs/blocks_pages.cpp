// Memory that is not malloc's: mappings whose parts the program changes, and large variables.
#include <dlfcn.h>
#include <sys/mman.h>

#include "blocks.h"

namespace {

constexpr std::size_t page = 4096;

unsigned char zeroes[40 * page + 100];
unsigned char ones[10 * page] = {1, 1, 1};

unsigned char* mapped(std::size_t bytes) {
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(memory != MAP_FAILED && aligned(memory, page) && is_zero(memory, bytes));
  fill(memory, bytes, 1);
  return static_cast<unsigned char*>(opaque(memory));
}

/// What the pages held is there; `at` in whole pages of the mapping.
bool still_there(const unsigned char* memory, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (memory[i] != byte_at(i, 1)) return false;
  }
  return true;
}

bool is_there(void* memory) {
  unsigned char in_memory = 0;
  return mincore(memory, page, &in_memory) == 0;
}

void unmap_parts() {
  constexpr std::size_t bytes = 64 * page;
  unsigned char* const memory = mapped(bytes);
  CHECK(munmap(memory, 3 * page) == 0);                         // the head
  CHECK(munmap(memory + 60 * page, 4 * page) == 0);             // the tail
  CHECK(munmap(memory + 20 * page + 0, 2 * page - 1000) == 0);  // a hole
  CHECK(!is_there(memory) && !is_there(memory + 60 * page) && !is_there(memory + 21 * page));
  CHECK(still_there(memory, 3 * page, 20 * page) && still_there(memory, 22 * page, 60 * page));
  for (int i = 0; i < 20; ++i) {  // others must not get what is still there
    unsigned char* const other = mapped(16 * page + static_cast<std::size_t>(i) * page);
    CHECK(still_there(memory, 3 * page, 20 * page) && still_there(memory, 22 * page, 60 * page));
    CHECK(munmap(other, 16 * page + static_cast<std::size_t>(i) * page) == 0);
  }
  CHECK(munmap(memory, bytes) == 0);
  CHECK(!is_there(memory + 5 * page) && !is_there(memory + 40 * page));
}

void remap() {
  constexpr std::size_t bytes = 32 * page;
  unsigned char* memory = mapped(bytes);
  memory = static_cast<unsigned char*>(mremap(memory, bytes, bytes / 2, 0));
  CHECK(memory != MAP_FAILED && still_there(memory, 0, bytes / 2));
  memory = static_cast<unsigned char*>(mremap(memory, bytes / 2, 8 * bytes, MREMAP_MAYMOVE));
  CHECK(memory != MAP_FAILED && still_there(memory, 0, bytes / 2) && is_zero(memory + bytes / 2, bytes));
  unsigned char* const target = mapped(8 * bytes);
  void* const moved = mremap(memory, 8 * bytes, 8 * bytes, MREMAP_MAYMOVE | MREMAP_FIXED, target);
  CHECK(moved == target && still_there(target, 0, bytes / 2) && is_zero(target + bytes / 2, bytes));
  CHECK(munmap(target, 8 * bytes) == 0);
}

void map_over() {
  constexpr std::size_t bytes = 32 * page;
  constexpr int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED;
  unsigned char* const memory = mapped(bytes);
  CHECK(mmap(memory + 8 * page, 8 * page, PROT_READ | PROT_WRITE, flags, -1, 0) == memory + 8 * page);
  CHECK(still_there(memory, 0, 8 * page) && is_zero(memory + 8 * page, 8 * page));
  CHECK(still_there(memory, 16 * page, bytes));
  CHECK(mmap(memory, bytes, PROT_READ | PROT_WRITE, flags, -1, 0) == memory && is_zero(memory, bytes));
  fill(memory, bytes, 1);
  for (int i = 0; i < 20; ++i) mapped(bytes);  // kept: none of them is where this one is
  CHECK(still_there(memory, 0, bytes) && mprotect(memory + page, page, PROT_READ) == 0);
  CHECK(still_there(memory, 0, bytes) && munmap(memory, bytes) == 0);
}

}  // namespace

void mappings() {
  unmap_parts();
  remap();
  map_over();
  CHECK(munmap(mapped(page), page) == 0);
  CHECK(munmap(mapped(9 * MiB), 9 * MiB) == 0);
  CHECK(mmap(nullptr, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);
  void* const reserved = mmap(nullptr, MiB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(reserved != MAP_FAILED && mprotect(reserved, 20 * page, PROT_READ | PROT_WRITE) == 0);
  fill(reserved, 20 * page, 2);
  CHECK(holds(reserved, 20 * page, 2) && munmap(reserved, MiB) == 0);
}

/// Those of a library are fresh each time that it is loaded.
void variables() {
  CHECK(is_zero(zeroes, sizeof zeroes) && ones[2] == 1 && is_zero(ones + 3, sizeof ones - 3));
  fill(zeroes, sizeof zeroes, 3);
  for (int round = 0; round < 5; ++round) {
    void* const library = dlopen(std::getenv("BLOCKS_LIBRARY"), RTLD_NOW);
    CHECK(library);
    auto* const table = static_cast<unsigned char*>(dlsym(library, "table_of_library"));
    std::free(opaque(std::malloc(MiB)));
    CHECK(table && is_zero(table, 100 * page));
    fill(table, 100 * page, 4);
    CHECK(holds(table, 100 * page, 4));
    CHECK(dlclose(library) == 0);
    void* const there = mmap(table, 100 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(there != MAP_FAILED && is_zero(there, 100 * page) && munmap(there, 100 * page) == 0);
  }
  CHECK(holds(zeroes, sizeof zeroes, 3));
  std::free(nullptr);
}
