// Locks that the C library keeps for the program: of stdio's files (flockfile), and of what is done once (call_once,
// std::call_once, pthread_once). In virtual time the lane with the smallest clock comes first, as at mutexes.
#include <pthread.h>
#include <threads.h>

#include <cstdio>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::Wait;
using lbhm::clock::may_be_program;
using lbhm::real::RealFunction;
namespace engine = lbhm::engine;

constinit RealFunction<void(FILE*)> real_lock("flockfile"), real_unlock("funlockfile");
constinit RealFunction<int(FILE*)> real_try("ftrylockfile");
using Once = int(pthread_once_t*, void (*)());
constinit RealFunction<Once> real_once("pthread_once");

[[gnu::constructor]] void find_library_locks() { lbhm::real::find_all(real_lock, real_unlock, real_try, real_once); }

/// The caller has the lock on the machine as long as this lives; what it does may throw.
class OnMachine {
 public:
  explicit OnMachine(const void* name) : name_(name) {
    engine::wait_begin(Wait::mutex, name);
    engine::wait_end(Wait::mutex, name);
  }
  ~OnMachine() { engine::mutex_released(name_); }
  OnMachine(const OnMachine&) = delete;
  OnMachine& operator=(const OnMachine&) = delete;

 private:
  const void* name_;
};

}  // namespace

LBHM_EXPORT void flockfile(FILE* file) noexcept {
  const bool in_order = may_be_program(__builtin_return_address(0));
  if (in_order) engine::wait_begin(Wait::mutex, file);
  real_lock(file);
  if (in_order) engine::wait_end(Wait::mutex, file);
}

LBHM_EXPORT int ftrylockfile(FILE* file) noexcept {
  if (!may_be_program(__builtin_return_address(0))) return real_try(file);
  if (!engine::try_mutex(file)) {
    lbhm::clock::elapse(lbhm::clock::system_call);
    return 1;
  }
  const int result = real_try(file);
  engine::wait_end(Wait::mutex, file);
  if (result != 0) engine::mutex_released(file);
  return result;
}

LBHM_EXPORT void funlockfile(FILE* file) noexcept {
  real_unlock(file);
  if (may_be_program(__builtin_return_address(0))) engine::mutex_released(file);
}

// That of C++ ends here, too, and so does that of C11, whose flag glibc has under another name.
LBHM_EXPORT int pthread_once(pthread_once_t* flag, void (*make)()) {
  if (!may_be_program(__builtin_return_address(0))) return real_once(flag, make);
  const OnMachine mine(flag);
  return real_once(flag, make);
}

static_assert(sizeof(once_flag) == sizeof(pthread_once_t));

LBHM_EXPORT void call_once(once_flag* flag, void (*make)()) {
  auto* const posix = reinterpret_cast<pthread_once_t*>(flag);
  if (!may_be_program(__builtin_return_address(0))) return static_cast<void>(real_once(posix, make));
  const OnMachine mine(flag);
  real_once(posix, make);
}
