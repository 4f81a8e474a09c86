// planned INSTANCES MIB[,MIB...] [alone]: objects of these sizes, each the hot one of every n-th instance. Before each
// parallel region it calls LB_HM_config for all of them, or for the hot one alone; says where all pages are before and
// after the call, and at the end a checksum. KERNEL_TEST_HOLD=FILE: waits at the end until there is such a file.
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "programs/arrays.h"

namespace {

using kernel_test::Array;

/// What of the objects is in huge pages. Neighbours may be one mapping for the kernel, so they are asked for together.
long huge_kib(const std::vector<Array>& arrays) {
  const auto by_address = [](const Array& one, const Array& other) { return one.data < other.data; };
  const auto [first, last] = std::minmax_element(arrays.begin(), arrays.end(), by_address);
  return facts::huge_kib(first->data, static_cast<std::size_t>(last->data + last->words - first->data) * 8);
}

/// Of each object how many pages are fast, slow and absent; of all together how many changed sides since `before`, and
/// how many KiB are in huge pages.
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
  std::printf("number huge-%s-%d %ld\n", when, instance, huge_kib(arrays));
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
  if (argc < 3) return 2;
  const bool alone = argc > 3 && std::strcmp(argv[3], "alone") == 0;
  const std::vector<Array> arrays = kernel_test::allocate_mib(argv[2]);
  std::vector<std::vector<int>> nodes(arrays.size());
  for (int instance = 0; instance < std::atoi(argv[1]); ++instance) {
    const std::size_t hot = static_cast<std::size_t>(instance) % arrays.size();
    show("before", instance, arrays, nodes);
    kernel_test::configure(alone ? std::vector<Array>{arrays[hot]} : arrays);
    show("after", instance, arrays, nodes);
    work(arrays, hot, instance == 0);
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
