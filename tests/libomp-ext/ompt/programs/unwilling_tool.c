// An OMPT tool that sets a callback and then does not want to run.
#include <omp-tools.h>
#include <stdio.h>

static void on_parallel_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned requested,
                              int flags, const void* code) {
  fputs("called\n", stderr);
}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* tool) {
  ((ompt_set_callback_t)lookup("ompt_set_callback"))(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  fputs("asked\n", stderr);
  return 0;
}
static void finalize(ompt_data_t* tool) { fputs("finalized\n", stderr); }

ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
