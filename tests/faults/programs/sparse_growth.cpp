// A large table of which little is used grows by realloc: what was never touched takes no memory then either.
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "tests/faults/programs/program.h"
#include "tests/faults/programs/resident.h"

namespace {

constexpr std::size_t first = std::size_t{256} << 20, last = std::size_t{2} << 30, step = std::size_t{1} << 22;

}  // namespace

int main() {
  const faults::Array array(1 << 18);
  auto* table = static_cast<char*>(std::calloc(first, 1));
  for (std::size_t i = 0; i < first; i += step) table[i] = 1;
  long found = 0;
  for (std::size_t bytes = 2 * first; bytes <= last; bytes *= 2) {
    table = static_cast<char*>(std::realloc(table, bytes));
    faults::add_one(array);
    for (std::size_t i = 0; i < first; i += step) found += table[i];
  }
  const bool grew = faults::resident_kib() * 1024 > static_cast<long>(first);
  std::free(table);
  std::printf("found %ld, touched all %d, sum %.0f\n", found, grew, array.sum());
  return faults::finish();
}
