// planned INSTANCES MIB[,MIB...]: objects of these sizes, each the hot one of every n-th instance. Before each parallel
// region it calls LB_HM_config; says where all pages are before and after the call, and at the end a checksum.
// KERNEL_TEST_HOLD=FILE: waits at the end until there is such a file.
#include <omp.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "lbhm/lbhm.h"
#include "lbhm/omp_traits.h"
#include "programs/nodes.h"

namespace {

struct Array {
  std::string name;
  std::uint64_t* data;
  std::size_t words;
  std::size_t bytes() const { return words * sizeof *data; }
};

std::vector<Array> allocate(const char* sizes) {
  std::vector<Array> arrays;
  for (char* at = const_cast<char*>(sizes); *at; at += *at == ',') {
    const std::string name = "object" + std::to_string(arrays.size());
    const std::size_t bytes = std::strtoul(at, &at, 10) << 20;
    omp_alloctrait_t traits[] = {lbhm_managed(true), lbhm_name(name.c_str())};
    const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 2, traits);
    auto* const data = static_cast<std::uint64_t*>(omp_aligned_alloc(facts::page_bytes, bytes, allocator));
    if (!data) std::exit(2);
    arrays.push_back({name, data, bytes / sizeof *data});
  }
  return arrays;
}

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
  const std::vector<Array> arrays = allocate(argv[2]);
  std::vector<std::vector<int>> nodes(arrays.size());
  for (int instance = 0; instance < std::atoi(argv[1]); ++instance) {
    std::vector<lbhm_object> objects;
    for (const Array& array : arrays) objects.push_back({array.data, 0, nullptr});
    show("before", instance, arrays, nodes);
    if (!lbhm_config || !lbhm_config(objects.data(), objects.size())) {
      std::printf("config: %s\n", lbhm_last_error ? lbhm_last_error() : "LB-HM is not there");
      return 3;
    }
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
