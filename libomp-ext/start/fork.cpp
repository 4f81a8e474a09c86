// fork(2): the child has one thread, and whatever the others were changing stays half-way there. So the locks of the
// allocators are held meanwhile, and everything behind them has no engine in the child (engine::leave_to_parent).
//
// Handlers run in this order: before the fork those of late registration first, after it those of early registration.
// Nobody allocates while own_memory is held, which is why it comes last.
#include <pthread.h>

#include "libomp-ext/allocators/fork.h"
#include "runtime/engine/engine.h"
#include "runtime/own_memory/own_memory.h"

namespace {

using namespace lbhm;

void before() {
  allocators::before_fork();
  own_memory::before_fork();
}

void in_parent() {
  own_memory::after_fork();
  allocators::after_fork();
}

void in_child() {
  engine::leave_to_parent();
  in_parent();
}

__attribute__((constructor)) void watch_forks() { pthread_atfork(before, in_parent, in_child); }

}  // namespace
