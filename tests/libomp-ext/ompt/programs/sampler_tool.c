// An OMPT tool that samples as TAU and HPCToolkit do: each thread has a timer whose signal interrupts it anywhere, in
// libomp and in other tools too. The handler asks OpenMP where it is, reads clocks and walks the stack.
#define _GNU_SOURCE
#include <omp-tools.h>
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>
#include <unwind.h>

#ifndef PACE_NS
#define PACE_NS 200000
#endif

static _Atomic long samples, frames, in_regions, backward;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t parallel_info;
static __thread timer_t timer;

static _Unwind_Reason_Code count_frame(struct _Unwind_Context* context, void* depth) {
  ++frames;
  return ++*(int*)depth < 64 ? _URC_NO_REASON : _URC_END_OF_STACK;
}

static void sample(int number) {
  static __thread double last;
  ++samples;
  const double now = omp_get_wtime();
  if (now < last) ++backward;
  last = now;
  struct timespec time;
  struct timeval day;
  clock_gettime(CLOCK_REALTIME, &time);
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  gettimeofday(&day, NULL);
  ompt_wait_id_t wait;
  get_state(&wait);
  ompt_data_t* parallel = NULL;
  int size = 0, depth = 0;
  if (parallel_info(0, &parallel, &size) == 2 && parallel) ++in_regions;
  if (omp_get_thread_num() >= 0) _Unwind_Backtrace(count_frame, &depth);  // libomp 19 crashes in omp_get_level here
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t* thread) {
  const struct itimerspec pace = {{0, PACE_NS}, {0, PACE_NS}};  // 0: never
  struct sigevent event;
  memset(&event, 0, sizeof event);
  event.sigev_notify = SIGEV_THREAD_ID;
  event.sigev_signo = SIGPROF;
  event._sigev_un._tid = gettid();
  if (timer_create(CLOCK_MONOTONIC, &event, &timer) == 0) timer_settime(timer, 0, &pace, NULL);
}
static void on_thread_end(ompt_data_t* thread) { timer_delete(timer); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool) {
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_handler = sample;
  action.sa_flags = SA_RESTART;
  int depth = 63;
  _Unwind_Backtrace(count_frame, &depth);  // loads what it needs before the first signal
  sigaction(SIGPROF, &action, NULL);
  set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  return 1;
}
static void finalize(ompt_data_t* tool) {
  signal(SIGPROF, SIG_IGN);
  fprintf(stderr, "%ld samples, %ld in regions, %ld backward\n", samples, in_regions, backward);
}

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
