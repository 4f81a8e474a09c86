// Asks for a tool as an OpenMP runtime does that LB-HM has never heard of.
#include <omp-tools.h>
#include <stdio.h>

extern ompt_start_tool_result_t* ompt_start_tool(unsigned version, const char* runtime) __attribute__((weak));

int main(void) {
  if (ompt_start_tool) puts(ompt_start_tool(202111, "Somebody's OMP 1.0") ? "a tool" : "no tool");
  return 0;
}
