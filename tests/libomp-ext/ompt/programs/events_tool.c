// An OMPT tool that counts all host events, and keeps something in all data that OMPT gives it. At the end it writes to
// standard error how often each event came, and whatever was not as the standard says.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

enum { initial = 1, threads = 7, regions = 9, implicit = 6, explicit_task = 5 };  // kinds of data, in their top byte

static _Atomic long count[64][3];
static _Atomic long complaints, serial;
static _Atomic long begun, ended;  // threads: how many libomp needs for nested regions is chance
static ompt_get_parallel_info_t parallel_info;
static ompt_get_task_info_t task_info;
static ompt_get_thread_data_t thread_data;
static ompt_get_callback_t get_callback;

static void expect(int holds, const char* what) {
  if (holds) return;
  ++complaints;
  fprintf(stderr, "not so: %s\n", what);
}
static int is(const ompt_data_t* data, int kind) { return data && data->value >> 56 == (uint64_t)kind; }
static void own(ompt_data_t* data, int kind, const char* what) {
  expect(data && data->value == 0, what);
  if (data) data->value = (uint64_t)kind << 56 | (uint64_t)++serial;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t* thread) {
  ++begun;
  own(thread, threads, "a thread's data are new");
}
static void on_thread_end(ompt_data_t* thread) {
  ++ended;
  expect(is(thread, threads), "a thread keeps its data");
}
static void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested,
                              int flags, const void* code) {
  ++count[ompt_callback_parallel_begin][0];
  own(parallel, regions, "a region's data are new");
  expect(is(thread_data(), threads), "ompt_get_thread_data gives the thread's data");
}
static void on_parallel_end(ompt_data_t* parallel, ompt_data_t* task, int flags, const void* code) {
  ++count[ompt_callback_parallel_end][0];
  expect(is(parallel, regions), "a region keeps its data to its end");
}
static void on_task_create(ompt_data_t* parent, const ompt_frame_t* frame, ompt_data_t* task, int flags, int depends,
                           const void* code) {
  ++count[ompt_callback_task_create][0];
  own(task, explicit_task, "a task's data are new");
}
static void on_task_schedule(ompt_data_t* before, ompt_task_status_t status, ompt_data_t* next) {
  ++count[ompt_callback_task_schedule][0];
}
static void look_up(ompt_data_t* parallel, ompt_data_t* task) {
  ompt_data_t *found = NULL, *found_task = NULL;
  int size = 0;
  expect(parallel_info(0, &found, &size) == 2 && found && found->value == parallel->value,
         "ompt_get_parallel_info gives the region's data");
  found = NULL;
  expect(task_info(0, NULL, &found_task, NULL, &found, NULL) == 2 && found && found->value == parallel->value,
         "ompt_get_task_info gives the region's data");
  expect(found_task == task, "ompt_get_task_info gives the task's data");
  expect(parallel_info(1, &found, &size) == 2 && is(found, regions), "the region around has its data");
}
static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, unsigned size,
                             unsigned index, int flags) {
  ++count[ompt_callback_implicit_task][endpoint];
  if (endpoint == ompt_scope_end) {
    expect(is(task, implicit), "an implicit task keeps its data");
    return;
  }
  own(task, implicit, "an implicit task's data are new");
  if (flags & ompt_task_initial) {
    own(parallel, regions, "the initial region's data are new");
    return;
  }
  expect(is(parallel, regions), "an implicit task has its region's data");
  look_up(parallel, task);
}

static void in_region(ompt_callbacks_t event, ompt_scope_endpoint_t endpoint, const ompt_data_t* parallel) {
  ++count[event][endpoint];
  if (parallel) expect(is(parallel, regions), "an event in a region has its data");
}
static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                           ompt_data_t* task, const void* code) {
  in_region(ompt_callback_sync_region, endpoint, parallel);
}
static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                                ompt_data_t* task, const void* code) {
  in_region(ompt_callback_sync_region_wait, endpoint, parallel);
}
static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel,
                         ompt_data_t* task, const void* code) {
  in_region(ompt_callback_reduction, endpoint, parallel);
}
static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task,
                    uint64_t iterations, const void* code) {
  in_region(ompt_callback_work, endpoint, parallel);
}
static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t* parallel, ompt_data_t* task, const void* code) {
  in_region(ompt_callback_masked, endpoint, parallel);
}
static void on_dispatch(ompt_data_t* parallel, ompt_data_t* task, ompt_dispatch_t kind, ompt_data_t instance) {
  expect(is(parallel, regions), "a chunk has its region's data");  // how many there are is chance
}
static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void* code) {
  ++count[ompt_callback_mutex_acquire][0];
}
static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  ++count[ompt_callback_mutex_acquired][0];
}
static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void* code) {
  ++count[ompt_callback_mutex_released][0];
}
static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void* code) {
  ++count[ompt_callback_nest_lock][endpoint];
}
static int on_control_tool(uint64_t command, uint64_t modifier, void* argument, const void* code) {
  ++count[ompt_callback_control_tool][0];
  return 42;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool) {
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  tool->value = 4711;
#define SET(event) expect(set(ompt_callback_##event, (ompt_callback_t)on_##event) >= ompt_set_sometimes, #event)
  SET(thread_begin), SET(thread_end), SET(parallel_begin), SET(parallel_end), SET(task_create), SET(task_schedule);
  SET(implicit_task), SET(sync_region), SET(sync_region_wait), SET(reduction), SET(work), SET(masked), SET(dispatch);
  SET(mutex_acquire), SET(mutex_acquired), SET(mutex_released), SET(nest_lock), SET(control_tool);
  return initial;
}
static void finalize(ompt_data_t* tool) {
  ompt_callback_t callback = NULL;
  expect(tool->value == 4711, "the tool keeps its data");
  expect(begun >= 3 && begun == ended, "threads that begin end");
  expect(get_callback(ompt_callback_work, &callback) == 1 && callback == (ompt_callback_t)on_work,
         "ompt_get_callback gives what was set");
  expect(get_callback(ompt_callback_flush, &callback) == 0, "ompt_get_callback gives nothing else");
  for (int event = 0; event < 64; ++event) {
    if (count[event][0] || count[event][1])
      fprintf(stderr, "event %d: %ld %ld %ld\n", event, count[event][0], count[event][1], count[event][2]);
  }
  fprintf(stderr, "complaints: %ld\n", complaints);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
