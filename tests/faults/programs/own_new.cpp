// Replaces the global operator new by one that allocates by a managed allocator of OpenMP's.
#include <cstdio>
#include <new>
#include <string>
#include <vector>

#include "tests/faults/programs/program.h"

namespace {

omp_allocator_handle_t allocator() {
  static const omp_allocator_handle_t managed = faults::managed_allocator();
  return managed;
}

}  // namespace

void* operator new(std::size_t bytes) {
  if (void* block = omp_alloc(bytes ? bytes : 1, allocator())) return block;
  throw std::bad_alloc();
}
void operator delete(void* block) noexcept { omp_free(block, omp_null_allocator); }
void operator delete(void* block, std::size_t /*bytes*/) noexcept { omp_free(block, omp_null_allocator); }

int main() {
  std::vector<std::string> words;
  for (int i = 0; i < 500; ++i) words.push_back(std::to_string(i) + " and more than the string itself has room for");
  const faults::Array array(1 << 16);
  for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
  std::printf("%s; sum %.0f\n", words.back().c_str(), array.sum());
  return faults::finish();
}
