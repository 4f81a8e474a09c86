// How much memory the program has.
#pragma once

#include <unistd.h>

#include <cstdio>

namespace faults {

inline long resident_kib() {
  std::FILE* file = std::fopen("/proc/self/statm", "r");
  long all = 0, resident = 0;
  if (file) {
    (void)!std::fscanf(file, "%ld %ld", &all, &resident);
    std::fclose(file);
  }
  return resident * (sysconf(_SC_PAGESIZE) / 1024);
}

}  // namespace faults
