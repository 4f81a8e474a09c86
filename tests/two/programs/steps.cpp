// steps: for each line "MIB" on standard input it allocates a managed object of that size, touches it, and says where
// its pages are; whoever starts it can change the computer in between. At the end it says how often it was asked.
#include <cstdio>
#include <cstring>

#include "programs/arrays.h"

int main() {
  int steps = 0;
  for (unsigned mib = 0; std::scanf("%u", &mib) == 1; ++steps) {
    const std::string name = "step-" + std::to_string(steps);
    const kernel_test::Array array = kernel_test::allocate(name, std::size_t{mib} << 20);
    std::memset(array.data, 1, array.bytes());
    kernel_test::print_nodes(name.c_str(), array.data, array.bytes());
    std::fflush(stdout);
  }
  std::printf("steps %d\n", steps);
}
