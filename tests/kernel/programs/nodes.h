// Where pages are, as lines that runtime/*_test.cpp reads: "nodes NAME FAST SLOW ABSENT", in pages.
#pragma once

#include <cstdio>

#include "facts/memory.h"

namespace kernel_test {

struct Where {
  long fast = 0, slow = 0, absent = 0;
};

inline Where where(const std::vector<int>& nodes) {
  Where all;
  for (const int node : nodes) ++(node == facts::fast ? all.fast : node == facts::slow ? all.slow : all.absent);
  return all;
}

inline void print_nodes(const char* name, const void* address, std::size_t bytes) {
  const Where at = where(facts::nodes_of(address, bytes));
  std::printf("nodes %s %ld %ld %ld\n", name, at.fast, at.slow, at.absent);
}

}  // namespace kernel_test
