// restarts WAY, with a tool in the program unless NO_TOOL: ten regions of 3 threads, and after every third one the
// runtime is given back. hard, soft: omp_pause_resource_all; device: omp_pause_resource; fortran: as Fortran calls it;
// child: hard, and a forked child does the rest; tool: the tool ends itself, once.
#include <omp-tools.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef NO_TOOL
static int ends, regions, regions_at_end = -1;
static ompt_finalize_tool_t end_tool;

static void on_begin(ompt_data_t* task, const ompt_frame_t* frame, ompt_data_t* parallel, unsigned threads, int flags,
                     const void* code) {
  ++regions;
}
static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t* data) {
  end_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  const ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
  set(ompt_callback_parallel_begin, (ompt_callback_t)on_begin);
  return 1;
}
static void finalize(ompt_data_t* data) {
  ++ends;
  regions_at_end = regions;
}
ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) {
  static ompt_start_tool_result_t tool = {initialize, finalize, {0}};
  return &tool;
}
#endif

extern int omp_pause_resource_all_(omp_pause_resource_t kind);

static int give_back(const char* way) {
  const omp_pause_resource_t hard = omp_pause_hard;
  if (strcmp(way, "hard") == 0 || strcmp(way, "child") == 0) return omp_pause_resource_all(hard);
  if (strcmp(way, "soft") == 0) return omp_pause_resource_all(omp_pause_soft);
  if (strcmp(way, "device") == 0) return omp_pause_resource(hard, omp_get_initial_device());
  if (strcmp(way, "fortran") == 0) return omp_pause_resource_all_(hard);
#ifndef NO_TOOL
  if (!ends) end_tool();
#endif
  return 0;
}

int main(int argc, char** argv) {
  int sum = 0, refused = 0;
  for (int round = 0; round < 10; ++round) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; ++i) sum += i;
    if (round % 3 == 2) refused += give_back(argv[1]) != 0;
    if (round == 5 && strcmp(argv[1], "child") == 0) {
      const pid_t child = fork();
      if (child > 0) {
        int status = 0;
        waitpid(child, &status, 0);
        if (status != 0) return 1;
      }
    }
  }
  printf("sum %d refused %d\n", sum, refused);
#ifndef NO_TOOL
  printf("ends %d, in all %d regions, %d then\n", ends, regions, regions_at_end);
#endif
  return 0;
}
