#include "libomp-ext/ompt/both_events.h"

#include <array>
#include <atomic>
#include <type_traits>
#include <utility>

namespace lbhm::openmp {
namespace {

constexpr int events = 64;  // omp-tools.h of LLVM 19 numbers up to 37
constinit std::array<std::array<std::atomic<ompt_callback_t>, events>, 2> callbacks{};

bool is_known(int event) { return event > 0 && event < events; }

/// The other tool is the outer one, so that what it does is in nobody's measured time.
template <class... Arguments>
bool ends(ompt_callbacks_t event, Arguments... arguments) {
  bool end = event == ompt_callback_parallel_end || event == ompt_callback_mutex_acquired ||
             event == ompt_callback_mutex_released;
  const auto look = [&end](auto argument) {
    if constexpr (std::is_same_v<decltype(argument), ompt_scope_endpoint_t>) end |= argument == ompt_scope_end;
  };
  (look(arguments), ...);
  return end;
}

template <bool parallel_data, class Argument>
Argument of_tool([[maybe_unused]] Tool tool, Argument argument) {
  if constexpr (parallel_data)
    return data_of(tool, argument);
  else
    return argument;
}

constexpr int none = -1;

/// `parallel`: which of the arguments are the region's data.
template <ompt_callbacks_t event, int parallel, class Callback>
struct Both;

template <ompt_callbacks_t event, int parallel, class... Arguments>
struct Both<event, parallel, void (*)(Arguments...)> {
  static void tell(Tool tool, Arguments... arguments) {
    const auto callback = reinterpret_cast<void (*)(Arguments...)>(callback_of(tool, event));
    if (!callback) return;
    [&]<int... i>(std::integer_sequence<int, i...>) {
      callback(of_tool < i == parallel > (tool, arguments)...);
    }(std::make_integer_sequence<int, sizeof...(Arguments)>());
  }
  static void on(Arguments... arguments) {
    const bool end = ends(event, arguments...);
    tell(end ? ours : other, arguments...);
    tell(end ? other : ours, arguments...);
  }
};

using ParallelBegin = Both<ompt_callback_parallel_begin, 2, ompt_callback_parallel_begin_t>;
using ParallelEnd = Both<ompt_callback_parallel_end, 0, ompt_callback_parallel_end_t>;
using ImplicitTask = Both<ompt_callback_implicit_task, 1, ompt_callback_implicit_task_t>;

void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested,
                       int flags, const void* code) {
  parallel_data_begin(*parallel);
  ParallelBegin::on(task, frame, parallel, requested, flags, code);
}

void on_parallel_end(ompt_data_t*, ompt_data_t* task, int flags, const void* code) {
  ompt_data_t parallel = forked_parallel_data();
  ParallelEnd::on(&parallel, task, flags, code);
  parallel_data_end();
}

void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned team_size,
                      unsigned index, int flags) {
  if ((flags & ompt_task_initial) && endpoint == ompt_scope_begin && parallel) initial_data_begin(*parallel);
  ImplicitTask::on(endpoint, parallel, task, team_size, index, flags);
}

/// Its answer is the other tool's: programs speak to that one by more than the standard's commands.
int on_control_tool(std::uint64_t command, std::uint64_t modifier, void* argument, const void* code) {
  int answer = -1;  // as libomp, where no tool listens
  for (const Tool tool : {ours, other}) {
    const auto callback = reinterpret_cast<ompt_callback_control_tool_t>(callback_of(tool, ompt_callback_control_tool));
    if (callback) answer = callback(command, modifier, argument, code);
  }
  return answer;
}

struct Row {
  ompt_callbacks_t event;
  ompt_callback_t on;
};

template <class Callback>
Row row(ompt_callbacks_t event, Callback on) {
  return {event, reinterpret_cast<ompt_callback_t>(on)};
}

template <ompt_callbacks_t event, class Callback, int parallel>
Row row() {
  return row(event, Both<event, parallel, Callback>::on);
}

/// All others have no data of regions, and ours does not want them: libomp calls the other tool itself.
const Row* row_of(ompt_callbacks_t event) {
  static const std::array table{
      row(ompt_callback_parallel_begin, on_parallel_begin),
      row(ompt_callback_parallel_end, on_parallel_end),
      row(ompt_callback_implicit_task, on_implicit_task),
      row(ompt_callback_control_tool, on_control_tool),
      row<ompt_callback_sync_region_wait, ompt_callback_sync_region_t, 2>(),
      row<ompt_callback_sync_region, ompt_callback_sync_region_t, 2>(),
      row<ompt_callback_reduction, ompt_callback_sync_region_t, 2>(),
      row<ompt_callback_work, ompt_callback_work_t, 2>(),
      row<ompt_callback_masked, ompt_callback_masked_t, 1>(),
      row<ompt_callback_dispatch, ompt_callback_dispatch_t, 0>(),
      row<ompt_callback_mutex_acquire, ompt_callback_mutex_acquire_t, none>(),
      row<ompt_callback_mutex_acquired, ompt_callback_mutex_t, none>(),
      row<ompt_callback_mutex_released, ompt_callback_mutex_t, none>(),
      row<ompt_callback_nest_lock, ompt_callback_nest_lock_t, none>(),
  };
  for (const Row& row : table) {
    if (row.event == event) return &row;
  }
  return nullptr;
}

}  // namespace

ompt_set_result_t set_callback(Tool tool, ompt_callbacks_t event, ompt_callback_t callback, ompt_set_callback_t set) {
  if (!is_known(event)) return set(event, callback);
  callbacks[tool][event].store(callback, std::memory_order_release);
  const Row* const row = row_of(event);
  if (!row) return set(event, callback);
  const bool wanted = callback_of(ours, event) || callback_of(other, event);
  return set(event, wanted ? row->on : nullptr);
}

ompt_callback_t callback_of(Tool tool, ompt_callbacks_t event) {
  return is_known(event) ? callbacks[tool][event].load(std::memory_order_acquire) : nullptr;
}

void forget_callbacks(Tool tool, ompt_set_callback_t set) {
  for (int event = 1; event < events; ++event) {
    const auto which = static_cast<ompt_callbacks_t>(event);
    if (callback_of(tool, which)) set_callback(tool, which, nullptr, set);
  }
}

}  // namespace lbhm::openmp
