// fork(2): the child has one thread, and whatever the others were changing stays half-way there. So the locks of the
// allocators are held meanwhile, and everything behind them has no engine in the child (engine::leave_to_parent).
//
// Handlers run in this order: before the fork those of late registration first, after it those of early registration.
// Nobody allocates while own_memory is held, which is why it comes last.
#include <dlfcn.h>
#include <pthread.h>
#include <sys/time.h>
#include <unistd.h>
#include <csignal>
#include <cstdarg>
#include <cstddef>
#include <cstdlib>

#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/real/real_function.h"
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

namespace {

using lbhm::real::RealFunction;

constinit RealFunction<void(int)> real_exit("_exit");
constinit RealFunction<int(const char*, char* const*, char* const*)> real_execve("execve");
constinit RealFunction<int(const char*, char* const*, char* const*)> real_execvpe("execvpe");
constinit RealFunction<int(int, char* const*, char* const*)> real_fexecve("fexecve");
constinit RealFunction<int(int, const char*, char* const*, char* const*, int)> real_execveat("execveat");

/// Looked up early: between fork and exec, dlsym might wait for a lock that nobody holds any more.
__attribute__((constructor)) void look_up() {
  real_exit.get();
  real_execve.get();
  real_execvpe.get();
  real_fexecve.get();
  real_execveat.get();
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

/// Calls `act` with the words of an exec function that takes them one by one.
template <class Act>
int with_words(const char* first, va_list words, Act act) {
  va_list again;
  va_copy(again, words);
  std::size_t count = 1;
  while (va_arg(again, char*) != nullptr) ++count;
  va_end(again);
  auto** list = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  list[0] = const_cast<char*>(first);
  for (std::size_t i = 1; i <= count; ++i) list[i] = va_arg(words, char*);
  return act(list, words);
}

}  // namespace

LBHM_EXPORT void _exit(int status) { end(status); }
LBHM_EXPORT void _Exit(int status) noexcept { end(status); }

LBHM_EXPORT int execve(const char* path, char* const* words, char* const* environment) noexcept {
  lbhm::engine::save_report();
  return real_execve(path, words, environment);
}
LBHM_EXPORT int execv(const char* path, char* const* words) noexcept { return execve(path, words, environ); }
LBHM_EXPORT int execvpe(const char* file, char* const* words, char* const* environment) noexcept {
  lbhm::engine::save_report();
  return real_execvpe(file, words, environment);
}
LBHM_EXPORT int execvp(const char* file, char* const* words) noexcept { return execvpe(file, words, environ); }
LBHM_EXPORT int fexecve(int file, char* const* words, char* const* environment) noexcept {
  lbhm::engine::save_report();
  return real_fexecve(file, words, environment);
}
LBHM_EXPORT int execveat(int folder, const char* path, char* const* words, char* const* environment,
                         int flags) noexcept {
  lbhm::engine::save_report();
  return real_execveat(folder, path, words, environment, flags);
}

LBHM_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list words;
  va_start(words, first);
  const int result = with_words(first, words, [path](char** list, va_list) { return execv(path, list); });
  va_end(words);
  return result;
}
LBHM_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list words;
  va_start(words, first);
  const int result = with_words(first, words, [file](char** list, va_list) { return execvp(file, list); });
  va_end(words);
  return result;
}
LBHM_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list words;
  va_start(words, first);
  const int result = with_words(
      first, words, [path](char** list, va_list rest) { return execve(path, list, va_arg(rest, char* const*)); });
  va_end(words);
  return result;
}
