// Locks of files, and children that are waited for, in virtual time: a lane asks in its turn without waiting, and
// sleeps until another lane gives something back (sleepers.h); what other processes do is found in real time.
#include <fcntl.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::openmp;
using lbhm::clock::may_be_program;
using lbhm::real::RealFunction;

constinit RealFunction<int(int, int)> real_flock("flock");
constinit RealFunction<int(int, int, off_t)> real_lockf("lockf");
constinit RealFunction<pid_t(pid_t, int*, int)> real_waitpid("waitpid");
constinit RealFunction<pid_t(pid_t, int*, int, rusage*)> real_wait4("wait4");
constinit RealFunction<int(idtype_t, id_t, siginfo_t*, int)> real_waitid("waitid");

[[gnu::constructor]] void find_file_locks() {
  lbhm::real::find_all(real_flock, real_lockf, real_waitpid, real_wait4, real_waitid);
}

/// `attempt` takes the lock or fails at once, with an error that says that others have it.
template <class Attempt>
int take_lock(Attempt attempt) {
  const auto tried = [=]() -> std::optional<int> {
    const int result = attempt();
    return result != 0 && (errno == EAGAIN || errno == EACCES) ? std::nullopt : std::optional(result);
  };
  return ask(tried, std::nullopt, nullptr, nullptr).value();  // without a limit there is an answer
}

}  // namespace

LBHM_EXPORT int flock(int file, int operation) noexcept {
  const bool lane = may_be_program(__builtin_return_address(0)) && lane_calls();
  if (!lane || (operation & LOCK_NB) != 0) return real_flock(file, operation);
  if ((operation & LOCK_UN) != 0) return end_waits([=] { return real_flock(file, operation); });
  return take_lock([=] { return real_flock(file, operation | LOCK_NB); });
}

LBHM_EXPORT int lockf(int file, int command, off_t bytes) {
  if (!may_be_program(__builtin_return_address(0)) || !lane_calls()) return real_lockf(file, command, bytes);
  if (command == F_LOCK) return take_lock([=] { return real_lockf(file, F_TLOCK, bytes); });
  return end_waits([=] { return real_lockf(file, command, bytes); });
}

namespace {

struct Child {
  idtype_t type;
  id_t id;
  int options;
};

bool has_changed(const void* what) {
  const auto* child = static_cast<const Child*>(what);
  siginfo_t info{};
  const int error = errno;
  const bool changed =
      real_waitid(child->type, child->id, &info, child->options | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
  errno = error;
  return changed;
}

Child child_of(pid_t process, int options) {
  const int states = WEXITED | (options & (WUNTRACED | WCONTINUED));  // WUNTRACED is WSTOPPED
  if (process == -1) return {.type = P_ALL, .id = 0, .options = states};
  if (process > 0) return {.type = P_PID, .id = static_cast<id_t>(process), .options = states};
  return {.type = P_PGID, .id = static_cast<id_t>(process == 0 ? getpgrp() : -process), .options = states};
}

/// `attempt`: with more options; 0 says that there is nothing yet.
template <class Attempt>
pid_t wait_for_child(pid_t process, int options, const void* caller, Attempt attempt) {
  if (!may_be_program(caller)) return attempt(0);
  if ((options & WNOHANG) != 0) {
    const pid_t result = attempt(0);
    if (result == 0) lbhm::clock::elapse(lbhm::clock::system_call);
    return result;
  }
  if (!lane_calls()) return attempt(0);
  const Child child = child_of(process, options);
  const auto tried = [&]() -> std::optional<pid_t> {
    const pid_t result = attempt(WNOHANG);
    return result == 0 ? std::nullopt : std::optional(result);
  };
  return ask(tried, std::nullopt, has_changed, &child).value();
}

}  // namespace

LBHM_EXPORT pid_t waitpid(pid_t process, int* status, int options) {
  return wait_for_child(process, options, __builtin_return_address(0),
                        [=](int more) { return real_waitpid(process, status, options | more); });
}
LBHM_EXPORT pid_t wait(int* status) {
  return wait_for_child(-1, 0, __builtin_return_address(0), [=](int more) { return real_waitpid(-1, status, more); });
}
LBHM_EXPORT pid_t wait3(int* status, int options, rusage* usage) noexcept {
  return wait_for_child(-1, options, __builtin_return_address(0),
                        [=](int more) { return real_wait4(-1, status, options | more, usage); });
}
LBHM_EXPORT pid_t wait4(pid_t process, int* status, int options, rusage* usage) noexcept {
  return wait_for_child(process, options, __builtin_return_address(0),
                        [=](int more) { return real_wait4(process, status, options | more, usage); });
}

namespace {

constinit RealFunction<int(int, int, ...)> real_fcntl("fcntl"), real_fcntl64("fcntl64");

[[gnu::constructor]] void find_fcntl() { lbhm::real::find_all(real_fcntl, real_fcntl64); }

/// Locks of open files, which lanes may have against each other, and those of processes.
int file_control(int file, int command, void* argument, const void* caller, RealFunction<int(int, int, ...)>& real) {
  const bool waits = command == F_SETLKW || command == F_OFD_SETLKW;
  const bool sets = command == F_SETLK || command == F_OFD_SETLK;
  if ((!waits && !sets) || !may_be_program(caller) || !lane_calls()) return real(file, command, argument);
  if (waits) return take_lock([&] { return real(file, command == F_SETLKW ? F_SETLK : F_OFD_SETLK, argument); });
  return end_waits([&] { return real(file, command, argument); });
}

}  // namespace

// Whatever its third argument is, it fits into a pointer.
#define LBHM_FILE_CONTROL(name, real)                                                \
  LBHM_EXPORT int name(int file, int command, ...) {                                 \
    std::va_list arguments;                                                          \
    va_start(arguments, command);                                                    \
    void* const argument = va_arg(arguments, void*);                                 \
    va_end(arguments);                                                               \
    return file_control(file, command, argument, __builtin_return_address(0), real); \
  }
LBHM_FILE_CONTROL(fcntl, real_fcntl)
LBHM_FILE_CONTROL(fcntl64, real_fcntl64)
