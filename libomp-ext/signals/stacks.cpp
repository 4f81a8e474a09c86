// Alternate signal stacks: the kernel writes to them on its own, so they are never watched.
#include <signal.h>

#include "libomp-ext/real/real_function.h"
#include "runtime/sampling/watching.h"

namespace {
constinit lbhm::real::RealFunction<int(const stack_t*, stack_t*)> real_stack("sigaltstack");
}  // namespace

LBHM_EXPORT int sigaltstack(const stack_t* fresh, stack_t* before) noexcept {
  const bool gives_up = fresh && (fresh->ss_flags & SS_DISABLE);
  if (fresh && !gives_up) lbhm::watching::alternate_stack(fresh->ss_sp, fresh->ss_size);
  const int result = real_stack(fresh, before);
  if (gives_up && result == 0) lbhm::watching::alternate_stack(nullptr, 0);
  return result;
}
