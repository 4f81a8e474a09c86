#include "libomp-ext/ompt/both_tools.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm::openmp {
namespace {

/// Records are used again and never given back: an idle thread still finds those of its last region.
struct Record {
  std::array<ompt_data_t, 2> data{};
  std::atomic<Record*> next{nullptr};  // the region around it, or the next spare one

  void renew() {
    data = {};
    next.store(nullptr, std::memory_order_relaxed);
  }
};

/// Those of threads that ended. Without a lock, for a forked child may find it at any time. The upper 16 bits, which no
/// address of ours has, count the changes: a record that was taken and came back is not mistaken for itself.
constinit std::atomic<std::uintptr_t> left_behind{0};
constexpr std::uintptr_t change = std::uintptr_t{1} << 48;

// NOLINTNEXTLINE(performance-no-int-to-ptr)
Record* record_of(std::uintptr_t top) { return reinterpret_cast<Record*>(top & (change - 1)); }

std::uintptr_t top_of(const Record* record, std::uintptr_t before) {
  return reinterpret_cast<std::uintptr_t>(record) | ((before & ~(change - 1)) + change);
}

void leave_behind(Record* record) {
  std::uintptr_t top = left_behind.load(std::memory_order_relaxed);
  do record->next.store(record_of(top), std::memory_order_relaxed);
  while (!left_behind.compare_exchange_weak(top, top_of(record, top), std::memory_order_release,
                                            std::memory_order_relaxed));
}

Record* take_left_behind() {
  std::uintptr_t top = left_behind.load(std::memory_order_acquire);
  while (Record* const record = record_of(top)) {
    // It may be another thread's by now, and its `next` no spare one: then the exchange fails.
    Record* const next = record->next.load(std::memory_order_relaxed);
    if (left_behind.compare_exchange_weak(top, top_of(next, top), std::memory_order_acquire)) return record;
  }
  return nullptr;
}

struct Own {
  Record* forked = nullptr;
  Record* initial = nullptr;
  Record* spare = nullptr;

  Own() = default;
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() {
    while (Record* const record = spare) {
      spare = record->next;
      leave_behind(record);
    }
    if (initial) leave_behind(std::exchange(initial, nullptr));
  }
};

thread_local Own own;
/// Where there was no memory for a record: what the tools write is forgotten.
constinit thread_local std::array<ompt_data_t, 2> lost{};

Record* take() {
  Record* record = own.spare;
  if (record)
    own.spare = record->next;
  else
    record = take_left_behind();
  if (record) {
    record->renew();
    return record;
  }
  void* const memory = own_memory::allocate(sizeof(Record));
  return memory ? new (memory) Record : nullptr;
}

ompt_start_tool_result_t* our_tool = nullptr;
/// Null again if it does not want to run, or no longer.
constinit std::atomic<ompt_start_tool_result_t*> other_tool{nullptr};

/// libomp's own entry points.
struct Runtime {
  ompt_function_lookup_t lookup;
  ompt_set_callback_t set_callback;
  ompt_get_parallel_info_t parallel_info;
  ompt_get_task_info_t task_info;
};
Runtime libomp;

constexpr int available = 2;  // what the inquiries return when they have filled in all that was asked for

/// Data of tasks are the other tool's.
ompt_set_result_t our_set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
  if (event == ompt_callback_task_create || event == ompt_callback_task_schedule) return ompt_set_never;
  return set_callback(ours, event, callback, libomp.set_callback);
}

ompt_set_result_t other_set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
  return set_callback(other, event, callback, libomp.set_callback);
}

int other_get_callback(ompt_callbacks_t event, ompt_callback_t* callback) {
  const ompt_callback_t found = callback_of(other, event);
  if (found) *callback = found;
  return found ? 1 : 0;
}

int other_parallel_info(int level, ompt_data_t** parallel, int* team_size) {
  const int result = libomp.parallel_info(level, parallel, team_size);
  if (result == available && parallel) *parallel = data_of(other, *parallel);
  return result;
}

int other_task_info(int level, int* kind, ompt_data_t** task, ompt_frame_t** frame, ompt_data_t** parallel,
                    int* thread) {
  const int result = libomp.task_info(level, kind, task, frame, parallel, thread);
  if (result == available && parallel) *parallel = data_of(other, *parallel);
  return result;
}

template <class Function>
ompt_interface_fn_t entry_point(Function function) {
  return reinterpret_cast<ompt_interface_fn_t>(function);
}

ompt_interface_fn_t our_lookup(const char* name) {
  return std::strcmp(name, "ompt_set_callback") == 0 ? entry_point(our_set_callback) : libomp.lookup(name);
}

ompt_interface_fn_t other_lookup(const char* name) {
  const auto is = [name](const char* function) { return std::strcmp(name, function) == 0; };
  if (is("ompt_finalize_tool")) return entry_point(end_other_tool);  // libomp would end both
  if (is("ompt_set_callback")) return entry_point(other_set_callback);
  if (is("ompt_get_callback")) return entry_point(other_get_callback);
  if (is("ompt_get_parallel_info")) return entry_point(other_parallel_info);
  if (is("ompt_get_task_info")) return entry_point(other_task_info);
  return libomp.lookup(name);
}

int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t*) {
  libomp = {lookup, reinterpret_cast<ompt_set_callback_t>(lookup("ompt_set_callback")),
            reinterpret_cast<ompt_get_parallel_info_t>(lookup("ompt_get_parallel_info")),
            reinterpret_cast<ompt_get_task_info_t>(lookup("ompt_get_task_info"))};
  ompt_start_tool_result_t* const tool = other_tool;
  if (tool->initialize(other_lookup, device, &tool->tool_data) != 0)
    return our_tool->initialize(our_lookup, device, &our_tool->tool_data);
  forget_callbacks(other, libomp.set_callback);
  other_tool = nullptr;
  return our_tool->initialize(lookup, device, &our_tool->tool_data);
}

void finalize(ompt_data_t*) {
  our_tool->finalize(&our_tool->tool_data);
  ompt_start_tool_result_t* const tool = other_tool.exchange(nullptr);
  if (tool && tool->finalize) tool->finalize(&tool->tool_data);
}

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

ompt_data_t* data_of(Tool tool, const ompt_data_t* parallel) {
  if (!parallel) return nullptr;
  if (auto* const record = static_cast<Record*>(parallel->ptr)) return &record->data[tool];
  lost[tool] = {};
  return &lost[tool];
}

void parallel_data_begin(ompt_data_t& parallel) {
  Record* const record = take();
  if (record) record->next = std::exchange(own.forked, record);
  parallel.ptr = record;
}

ompt_data_t forked_parallel_data() { return {.ptr = own.forked}; }

void parallel_data_end() {
  Record* const record = own.forked;
  if (!record) return;
  own.forked = record->next;
  record->next = std::exchange(own.spare, record);
}

void initial_data_begin(ompt_data_t& parallel) {
  if (parallel.ptr) return;  // of a team of a teams construct
  if (!own.initial)
    own.initial = take();
  else  // a forked child, whose libomp begins anew
    own.initial->data = {};
  parallel.ptr = own.initial;
}

ompt_start_tool_result_t* both_tools(ompt_start_tool_result_t& ours, ompt_start_tool_result_t& other) {
  static ompt_start_tool_result_t both{initialize, finalize, {0}};
  our_tool = &ours;
  other_tool = &other;
  tasks::leave_barriers_to_libomp();
  return &both;
}

void end_other_tool() {
  ompt_start_tool_result_t* const tool = other_tool.exchange(nullptr);
  if (!tool) return;
  forget_callbacks(other, libomp.set_callback);
  if (tool->finalize) tool->finalize(&tool->tool_data);
}

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
