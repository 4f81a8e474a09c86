// lanes INSTANCES LARGE PASSES PAGES: two objects, "small" of PAGES pages and "large" of three times as many, new in
// each instance. In the parallel region thread LARGE (0 or 1) writes to the large one alone, PASSES times to each word,
// and the other thread to the small one alone, three times as often: both take the same time.
#include "programs/arrays.h"

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const int of_large = std::atoi(argv[2]);
  const std::size_t bytes = std::strtoul(argv[4], nullptr, 10) * facts::page_bytes;
  for (int instance = 0; instance < std::atoi(argv[1]); ++instance) {
    const std::vector<kernel_test::Array> arrays = {kernel_test::allocate("large", 3 * bytes),
                                                    kernel_test::allocate("small", bytes)};
    kernel_test::configure(arrays);
#pragma omp parallel num_threads(2)
    {
      const bool large = omp_get_thread_num() == of_large;
      const kernel_test::Array& own = arrays[large ? 0 : 1];
      for (std::size_t word = 0; word < own.words; ++word) own.data[word] = word;  // writes first: see planned.cpp
      for (int pass = 1; pass < (large ? 1 : 3) * std::atoi(argv[3]); ++pass)
        for (std::size_t word = 0; word < own.words; ++word) own.data[word] += word;
    }
    for (const kernel_test::Array& array : arrays) kernel_test::release(array);
  }
}
