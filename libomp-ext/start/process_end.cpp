// fork(2): the child has one thread, and whatever the others were changing stays half-way there. So nobody opens a
// library meanwhile (no_fork.h), the locks of the allocators are held, and everything behind them has no engine in the
// child (engine::leave_to_parent).
//
// Handlers run in this order: before the fork those of late registration first, after it those of early registration.
// Nobody allocates while own_memory is held, which is why it comes last.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>
#include <csignal>
#include <cstdlib>

#include "libomp-ext/allocators/allocator_table.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"
#include "runtime/own_memory/no_fork.h"
#include "runtime/own_memory/own_memory.h"

namespace {

using namespace lbhm;

void before() {
  fork_begins();
  allocators::before_fork();
  own_memory::before_fork();
}

void give_back_locks() {
  own_memory::after_fork();
  allocators::after_fork();
}

void in_parent() {
  give_back_locks();
  fork_ends_in_parent();
}

void in_child() {
  engine::leave_to_parent();
  give_back_locks();
  fork_ends_in_child();
}

__attribute__((constructor)) void watch_forks() { pthread_atfork(before, in_parent, in_child); }

}  // namespace

namespace {

using lbhm::real::RealFunction;

constinit RealFunction<void(int)> real_exit("_exit");

__attribute__((constructor)) void look_up() {
  lbhm::real::find_all(real_exit);
  std::at_quick_exit([] { lbhm::engine::finish(); });
}

volatile std::sig_atomic_t status_at_end = 0;

/// _exit may come from a signal handler. Where it interrupted LB-HM the engine writes no report; should a report wait
/// for something else, the process ends without one after so long (assumption: no report takes that long).
void limit_the_end(int status) {
  constexpr int seconds = 10;
  status_at_end = status;
  struct sigaction action{};
  action.sa_handler = [](int) { real_exit(status_at_end); };
  sigaction(SIGALRM, &action, nullptr);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = seconds, .tv_usec = 0}};
  setitimer(ITIMER_REAL, &limit, nullptr);
}

[[noreturn]] void end(int status) {
  if (lbhm::engine::must_finish()) {
    limit_the_end(status);
    lbhm::engine::finish();
  }
  real_exit(status);
  __builtin_unreachable();
}

}  // namespace

LBHM_EXPORT void _exit(int status) { end(status); }
LBHM_EXPORT void _Exit(int status) noexcept { end(status); }
