// Two OMPT tools where libomp has room for one: ours, and the one that the program or its user brought.
#pragma once

#include <omp-tools.h>
#include <cstdint>

namespace lbhm::openmp {

// The data of a parallel region (ompt_data_t), twice: both tools believe that it is theirs.
//
// libomp keeps one ompt_data_t a region and copies its value from place to place, so it holds the address of a record
// with one for each tool. Data of threads and tasks need no such thing: ours keeps none, they are the other tool's.

enum Tool : std::uint8_t { ours, other };

/// What libomp's data of a region hold for a tool; null for null. May be called from handlers of signals.
ompt_data_t* data_of(Tool tool, const ompt_data_t* parallel);

/// The calling thread meets a parallel construct, whose data libomp keeps in `parallel` from now on.
void parallel_data_begin(ompt_data_t& parallel);
/// Data for data_of: those of the region that the thread began last. libomp's own may be another thread's by now.
ompt_data_t forked_parallel_data();
void parallel_data_end();

/// The region around a thread that nobody forked: it has no begin of its own.
void initial_data_begin(ompt_data_t& parallel);

// Two OMPT tools where libomp has room for one: ours, and the one that the program or its user brought.

/// The tool for libomp to start: hands everything to both. The other one sees what it would see alone.
ompt_start_tool_result_t* both_tools(ompt_start_tool_result_t& ours, ompt_start_tool_result_t& other);

/// The other tool, if there is one, is told its end, and of nothing that happens later.
void end_other_tool();

// Events that both tools want, or whose data have to be told apart: libomp calls us, and we call both.

/// `set`: libomp's own entry point. `callback` null: the tool wants the event no longer.
ompt_set_result_t set_callback(Tool tool, ompt_callbacks_t event, ompt_callback_t callback, ompt_set_callback_t set);
/// What the tool has set; null: nothing.
ompt_callback_t callback_of(Tool tool, ompt_callbacks_t event);
/// The tool wants no event.
void forget_callbacks(Tool tool, ompt_set_callback_t set);

}  // namespace lbhm::openmp
