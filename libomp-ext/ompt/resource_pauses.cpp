// omp_pause_resource and omp_pause_resource_all: programs give back what the OpenMP runtime holds, and use it again.
//
// At a hard pause libomp ends its tools and never starts one again (ompt_fini, and what ompt_pre_init remembers): no
// region would be seen or placed from then on. A soft pause may do all that the program can tell of a hard one, which
// frees more but promises nothing else (OpenMP 5.2, 18.6.1): threads sleep, and the state of the runtime stays. Only
// the other tool ends, as it would without us.
#include <omp.h>

#include "libomp-ext/ompt/both_tools.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::real::RuntimeFunction;

template <class... Arguments>
int call(RuntimeFunction& real, const void* caller, Arguments... arguments) {
  return reinterpret_cast<int (*)(Arguments...)>(real.need(caller))(arguments...);
}

/// `device`: none, or the one that is given back.
template <class... Device>
int pause(RuntimeFunction& real, const void* caller, omp_pause_resource_t kind, Device... device) {
  static constinit RuntimeFunction host("omp_get_initial_device");
  const bool of_host = ((device == call(host, caller)) && ...);
  if (kind != omp_pause_hard || !of_host || !lbhm::engine::active()) return call(real, caller, kind, device...);
  const int refused = call(real, caller, omp_pause_soft, device...);
  if (!refused) lbhm::openmp::end_other_tool();
  return refused;
}

}  // namespace

LBHM_EXPORT int omp_pause_resource(omp_pause_resource_t kind, int device) {
  static constinit RuntimeFunction real("omp_pause_resource");
  return pause(real, __builtin_return_address(0), kind, device);
}
LBHM_EXPORT int omp_pause_resource_all(omp_pause_resource_t kind) {
  static constinit RuntimeFunction real("omp_pause_resource_all");
  return pause(real, __builtin_return_address(0), kind);
}

// Fortran's names; omp_lib passes values.

LBHM_EXPORT int omp_pause_resource_(omp_pause_resource_t kind, int device) {
  static constinit RuntimeFunction real("omp_pause_resource_");
  return pause(real, __builtin_return_address(0), kind, device);
}
LBHM_EXPORT int omp_pause_resource_all_(omp_pause_resource_t kind) {
  static constinit RuntimeFunction real("omp_pause_resource_all_");
  return pause(real, __builtin_return_address(0), kind);
}
