// The tasks of a region, a thread each.
#pragma once

#include <omp.h>

#include <cstddef>

namespace tensor {

/// Inside a parallel region: calls `work(number)` for the tasks of this thread. A thread has one task, its own, unless
/// the OpenMP runtime grants fewer threads than there are tasks.
template <class Work>
void for_own_tasks(std::size_t tasks, Work work) {
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  for (auto i = static_cast<std::size_t>(omp_get_thread_num()); i < tasks; i += team) work(i);
}

}  // namespace tensor
