// Two arrays of bytes, managed and planned, and a second thread that keeps the region alive.
#pragma once

#include <unistd.h>

#include <cstring>

#include "tests/faults/programs/program.h"

namespace faults {

constexpr std::size_t page_bytes = 4096, watched_bytes = 8 << 20;

inline char* watched() {
  auto* bytes = static_cast<char*>(omp_aligned_alloc(page_bytes, watched_bytes, managed_allocator()));
  std::memset(bytes, 1, watched_bytes);
  return bytes;
}

/// A planned region of 60 ms: in its middle one thread calls `in_the_middle`, the other touches `other` all the time.
template <class Action>
void while_watched(char* bytes, char* other, Action in_the_middle) {
  const lbhm_object objects[] = {{bytes, watched_bytes, "bytes"}, {other, watched_bytes, "other"}};
  if (lbhm_config) lbhm_config(objects, 2);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    usleep(30'000);
    in_the_middle();
    usleep(30'000);
  } else {
    for (int repeat = 0; repeat < 20; ++repeat) {
      for (std::size_t i = 0; i < watched_bytes; i += page_bytes) ++other[i];
      usleep(3'000);
    }
  }
}

}  // namespace faults
