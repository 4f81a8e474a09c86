// ompt_start_tool: libomp asks whether there is a tool. There is ours, and whichever it would find without us.
#include "libomp-ext/ompt/tool.h"

#include <dlfcn.h>

#include <atomic>
#include <cstdio>
#include <cstring>

#include "libomp-ext/ompt/both_tools.h"
#include "libomp-ext/ompt/other_tool.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/base/environment.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/export.h"
#include "runtime/interpose/real_function.h"

using namespace lbhm;

namespace {

/// The thread looks for the other tool: one that passes on the question asks us.
constinit thread_local bool asking = false;
/// Of two OpenMP runtimes in a process the first one has both tools.
constinit std::atomic<bool> paired{false};

void name_unknown(const char* runtime) {
  if (std::strstr(runtime, "LLVM OMP") || std::strstr(runtime, "Intel(R) OMP")) return;
  std::fprintf(stderr,
               "lbhm: LB-HM does not know the OpenMP runtime '%.80s' and may miss regions; it is tried with LLVM's "
               "libomp 14 to 21 and Intel's libiomp5: let LD_LIBRARY_PATH name one of these\n",
               runtime);
}

}  // namespace

// A name of its own: the loader may take another ompt_start_tool for ours.
extern "C" __attribute__((visibility("hidden"))) ompt_start_tool_result_t* lbhm_start_tool(unsigned version,
                                                                                           const char* runtime) {
  if (asking) {
    const auto next = reinterpret_cast<openmp::StartTool*>(dlsym(RTLD_NEXT, "ompt_start_tool"));
    return next ? next(version, runtime) : nullptr;
  }
  if (engine::follows_all_waits()) openmp::remove_old_registration();
  engine::openmp_begins();
  const bool active = engine::active();
  if (active && paired.exchange(true)) return &openmp::our_tool();
  asking = true;
  ompt_start_tool_result_t* other = openmp::start_linked_tool(lbhm_start_tool, version, runtime);
  if (active && !other) other = openmp::start_named_tool(lbhm_start_tool, version, runtime);
  asking = false;
  if (!active) return other;
  name_unknown(runtime);
  // Our initialize shows it again.
  if (engine::follows_all_waits()) openmp::hide_environment();
  return other ? openmp::both_tools(openmp::our_tool(), *other) : &openmp::our_tool();
}

/// libomp does nothing for it before its first parallel region or question, which is when programs read their input: a
/// question begins it.
LBHM_EXPORT int omp_control_tool(int command, int modifier, void* argument) {
  static constinit real::OpenMPFunction<int()> begin("omp_get_max_threads");
  static constinit real::OpenMPFunction<int(int, int, void*)> real("omp_control_tool");
  begin();
  return real(command, modifier, argument);
}

LBHM_EXPORT ompt_start_tool_result_t* ompt_start_tool(unsigned, const char*) __attribute__((alias("lbhm_start_tool")));

namespace {

__attribute__((constructor)) void at_load() {
  if (privileged() || openmp::come_first(lbhm_start_tool)) return;
  engine::start();
  if (!engine::active()) return;
  std::fputs(
      "lbhm: the program has an OMPT tool of its own (ompt_start_tool), and LB-HM cannot come before it, so it sees "
      "no region: make the tool a library and name it in OMP_TOOL_LIBRARIES\n",
      stderr);
}

}  // namespace
