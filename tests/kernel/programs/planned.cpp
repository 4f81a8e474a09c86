// planned INSTANCES MIB[,MIB...]: objects of these sizes, each the hot one of every n-th instance. Before each parallel
// region it calls LB_HM_config; says where all pages are before and after the call, and at the end a checksum.
// KERNEL_TEST_HOLD=FILE: waits at the end until there is such a file.
#include <unistd.h>

#include "programs/arrays.h"

namespace {

using kernel_test::Array;

/// One line for each page that is there: how many are fast and slow, and how many changed since `before`.
void show(const char* when, int instance, const std::vector<Array>& arrays, std::vector<std::vector<int>>& before) {
  long up = 0, down = 0;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    const std::vector<int> nodes = facts::nodes_of(arrays[i].data, arrays[i].bytes());
    const kernel_test::Where at = kernel_test::where(nodes);
    std::printf("nodes %s-%d-%s %ld %ld %ld\n", when, instance, arrays[i].name.c_str(), at.fast, at.slow, at.absent);
    for (std::size_t page = 0; page < nodes.size() && !before[i].empty(); ++page) {
      up += before[i][page] == facts::slow && nodes[page] == facts::fast;
      down += before[i][page] == facts::fast && nodes[page] == facts::slow;
    }
    before[i] = nodes;
  }
  std::printf("moved %s-%d %ld %ld\n", when, instance, up, down);
}

/// First touch by writing: pages that are read first share one page of zeros, and to replace it every processor is
/// interrupted, which costs milliseconds in a virtual machine.
void touch(const std::vector<Array>& arrays) {
  for (const Array& array : arrays) {
#pragma omp for schedule(static)
    for (std::size_t word = 0; word < array.words; ++word) array.data[word] = word;
  }
}

void work(const std::vector<Array>& arrays, std::size_t hot, bool first) {
#pragma omp parallel
  {
    if (first) touch(arrays);
    for (std::size_t i = 0; i < arrays.size(); ++i) {
      for (int pass = 0; pass < (i == hot ? 6 : 1); ++pass) {
#pragma omp for schedule(static)
        for (std::size_t word = 0; word < arrays[i].words; ++word) {
          arrays[i].data[word] = arrays[i].data[word] * 3 + word + 1;
        }
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const std::vector<Array> arrays = kernel_test::allocate_mib(argv[2]);
  std::vector<std::vector<int>> nodes(arrays.size());
  for (int instance = 0; instance < std::atoi(argv[1]); ++instance) {
    show("before", instance, arrays, nodes);
    kernel_test::configure(arrays);
    show("after", instance, arrays, nodes);
    work(arrays, static_cast<std::size_t>(instance) % arrays.size(), instance == 0);
  }
  std::uint64_t sum = 0;
  for (const Array& array : arrays) {
    for (std::size_t word = 0; word < array.words; ++word) sum = sum * 31 + array.data[word];
  }
  std::printf("checksum %016llx\n", static_cast<unsigned long long>(sum));
  std::fflush(stdout);
  if (const char* const file = std::getenv("KERNEL_TEST_HOLD")) {
    while (access(file, F_OK) != 0) usleep(20'000);
  }
}
