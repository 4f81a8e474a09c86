// spread MIB: an object that all threads touch, and on which nodes its pages are then: "number node-N PAGES". And the
// policy that the kernel has for it, as /proc/self/numa_maps says it: "policy WORD".
#include <fstream>
#include <map>

#include "programs/arrays.h"

namespace {

/// The second word of the line of the mapping at this address.
std::string policy_of(const void* address) {
  std::ifstream maps("/proc/self/numa_maps");
  const auto wanted = reinterpret_cast<std::uintptr_t>(address);
  std::string policy = "none";
  for (std::string line; std::getline(maps, line);) {
    if (std::stoul(line, nullptr, 16) > wanted) break;
    const auto word = line.find(' ') + 1;
    const auto end = line.find(" anon", word);  // "prefer (many):1-2" has a space
    policy = line.substr(word, end == std::string::npos ? end : end - word);
  }
  return policy;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const kernel_test::Array object = kernel_test::allocate("object", std::strtoul(argv[1], nullptr, 10) << 20);
#pragma omp parallel for schedule(static)
  for (std::size_t word = 0; word < object.words; ++word) object.data[word] = word;
  std::map<int, long> pages;
  for (const int node : facts::nodes_of(object.data, object.bytes())) ++pages[node];
  for (const auto& [node, count] : pages) std::printf("number node-%d %ld\n", node, count);
  std::printf("policy %s\n", policy_of(object.data).c_str());
}
