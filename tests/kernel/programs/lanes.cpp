// lanes INSTANCES LARGE: two objects, "large" of 3 MiB and "small" of 1 MiB, new in each instance. In the parallel
// region thread LARGE (0 or 1) writes to the large one alone and the other thread to the small one, four times.
#include "programs/arrays.h"

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int of_large = std::atoi(argv[2]);
  for (int instance = 0; instance < std::atoi(argv[1]); ++instance) {
    const std::vector<kernel_test::Array> arrays = {kernel_test::allocate("large", 3 << 20),
                                                    kernel_test::allocate("small", 1 << 20)};
    kernel_test::configure(arrays);
#pragma omp parallel num_threads(2)
    {
      const kernel_test::Array& own = arrays[omp_get_thread_num() == of_large ? 0 : 1];
      for (int pass = 0; pass < 4; ++pass)
        for (std::size_t word = 0; word < own.words; ++word) own.data[word] += word;
    }
    for (const kernel_test::Array& array : arrays) kernel_test::release(array);
  }
}
