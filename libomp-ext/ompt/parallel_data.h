// The data of a parallel region (ompt_data_t), twice: both tools believe that it is theirs.
//
// libomp keeps one ompt_data_t a region and copies its value from place to place, so it holds the address of a record
// with one for each tool. Data of threads and tasks need no such thing: ours keeps none, they are the other tool's.
#pragma once

#include <omp-tools.h>

namespace lbhm::openmp {

enum Tool : unsigned { ours, other };

/// What libomp's data of a region hold for a tool; null for null. May be called from handlers of signals.
ompt_data_t* data_of(Tool tool, const ompt_data_t* parallel);

/// The calling thread meets a parallel construct, whose data libomp keeps in `parallel` from now on.
void parallel_data_begin(ompt_data_t& parallel);
/// Data for data_of: those of the region that the thread began last. libomp's own may be another thread's by now.
ompt_data_t forked_parallel_data();
void parallel_data_end();

/// The region around a thread that nobody forked: it has no begin of its own.
void initial_data_begin(ompt_data_t& parallel);

}  // namespace lbhm::openmp
