// How many processors a program finds: those of the emulated machine, whichever computer emulates it.
#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

int processors(const void* caller) {
  if (lbhm::clock::applies_to(caller)) return static_cast<int>(lbhm::engine::emulated_processors());
  static constinit lbhm::real::RuntimeFunction real("omp_get_num_procs");
  return reinterpret_cast<int (*)()>(real.need(caller))();
}

}  // namespace

LBHM_EXPORT int omp_get_num_procs() { return processors(__builtin_return_address(0)); }
// Fortran's name.
LBHM_EXPORT int omp_get_num_procs_() { return processors(__builtin_return_address(0)); }
