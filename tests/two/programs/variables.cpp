// variables: touches a large variable and a mapping of its own, and says how many of their pages are on which node;
// what is left of the mapping after its middle was unmapped, too.
#include <sys/mman.h>

#include <cstdio>
#include <cstring>

#include "facts/memory.h"

namespace {

constexpr std::size_t bytes = std::size_t{1} << 20;
alignas(4096) char table[bytes];

void print(const char* name, const void* memory, std::size_t size) {
  int fast = 0, slow = 0, absent = 0;
  for (const int node : facts::nodes_of(memory, size)) ++(node < 0 ? absent : node == facts::fast ? fast : slow);
  std::printf("nodes %s %d %d %d\n", name, fast, slow, absent);
}

}  // namespace

int main() {
  void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  auto* const mapping = static_cast<char*>(mapped);
  std::memset(table, 1, bytes);
  std::memset(mapping, 1, bytes);
  print("variable-table", table, bytes);
  print("variable-mapping", mapping, bytes);
  munmap(mapping + bytes / 4, bytes / 2);
  print("rest-mapping", mapping, bytes / 4);
  std::puts(mapping[0] == 1 && mapping[bytes - 1] == 1 ? "right" : "wrong");
}
