#include "libomp-ext/ompt/both_tools.h"

#include <cstring>

#include "libomp-ext/ompt/both_events.h"

namespace lbhm::openmp {
namespace {

ompt_start_tool_result_t* our_tool = nullptr;
ompt_start_tool_result_t* other_tool = nullptr;  // null again if it does not want to run

/// libomp's own entry points.
struct Runtime {
  ompt_function_lookup_t lookup;
  ompt_set_callback_t set_callback;
  ompt_get_parallel_info_t parallel_info;
  ompt_get_task_info_t task_info;
};
Runtime libomp;

constexpr int available = 2;  // what the inquiries return when they have filled in all that was asked for

ompt_set_result_t our_set_callback(ompt_callbacks_t event, ompt_callback_t callback) {
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
  if (other_tool->initialize(other_lookup, device, &other_tool->tool_data) != 0)
    return our_tool->initialize(our_lookup, device, &our_tool->tool_data);
  forget_callbacks(other, libomp.set_callback);
  other_tool = nullptr;
  return our_tool->initialize(lookup, device, &our_tool->tool_data);
}

void finalize(ompt_data_t*) {
  our_tool->finalize(&our_tool->tool_data);
  if (other_tool && other_tool->finalize) other_tool->finalize(&other_tool->tool_data);
}

}  // namespace

ompt_start_tool_result_t* both_tools(ompt_start_tool_result_t& ours, ompt_start_tool_result_t& other) {
  static ompt_start_tool_result_t both{initialize, finalize, {0}};
  our_tool = &ours;
  other_tool = &other;
  return &both;
}

}  // namespace lbhm::openmp
