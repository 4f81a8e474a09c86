// Semaphores and barriers of threads in virtual time. A lane that finds no token sleeps (sleepers.h), and who comes
// first is decided in turns; a thread that is no lane waits in fact, and goes on at the clock of who ended its wait.
#include <pthread.h>
#include <semaphore.h>

#include <cerrno>

#include "libomp-ext/virtual/clock/deadlines.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::clock;
using namespace lbhm::openmp;
using lbhm::real::RealFunction;
namespace engine = lbhm::engine;

constinit RealFunction<int(sem_t*)> real_sem_wait("sem_wait"), real_sem_trywait("sem_trywait"),
    real_sem_post("sem_post");
constinit RealFunction<int(sem_t*, const timespec*)> real_sem_timedwait("sem_timedwait");
constinit RealFunction<int(sem_t*, clockid_t, const timespec*)> real_sem_clockwait("sem_clockwait");

[[gnu::constructor]] void find_semaphores() {
  lbhm::real::find_all(real_sem_wait, real_sem_trywait, real_sem_post, real_sem_timedwait, real_sem_clockwait);
}

bool has_token(const void* semaphore) {
  int value = 0;
  return sem_getvalue(static_cast<sem_t*>(const_cast<void*>(semaphore)), &value) == 0 && value > 0;
}

/// 0, or nothing: there is no token.
std::optional<int> try_token(sem_t* semaphore) {
  if (real_sem_trywait(semaphore) == 0) return 0;
  return errno == EAGAIN ? std::nullopt : std::optional(-1);
}

int lane_takes_token(sem_t* semaphore, std::optional<Time> left) {
  const auto taken = ask([=] { return try_token(semaphore); }, left, has_token, semaphore);
  if (!taken) errno = ETIMEDOUT;
  return taken.value_or(-1);
}

/// `real`: waits until that time.
template <class Real>
int take_token(sem_t* semaphore, clockid_t clock, const timespec* deadline, const void* caller, Real real) {
  if (!may_be_program(caller)) return real(deadline);
  const auto left = left_until(clock, deadline, true);
  const int result = lane_calls() ? lane_takes_token(semaphore, left)
                                  : wait_for(left, clock, deadline, real,
                                             [](int status) { return status != 0 && errno == ETIMEDOUT; });
  if (result == 0) got(edge_of(semaphore));
  return result;
}

}  // namespace

LBHM_EXPORT int sem_wait(sem_t* semaphore) {
  return take_token(semaphore, CLOCK_REALTIME, nullptr, __builtin_return_address(0),
                    [=](const timespec*) { return real_sem_wait(semaphore); });
}
LBHM_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* deadline) {
  return take_token(semaphore, CLOCK_REALTIME, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_sem_timedwait(semaphore, t); });
}
LBHM_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* deadline) {
  return take_token(semaphore, clock, deadline, __builtin_return_address(0),
                    [=](const timespec* t) { return real_sem_clockwait(semaphore, clock, t); });
}

LBHM_EXPORT int sem_trywait(sem_t* semaphore) noexcept {
  if (!may_be_program(__builtin_return_address(0))) return real_sem_trywait(semaphore);
  engine::ordered_begin();
  const int result = real_sem_trywait(semaphore);
  engine::ordered_end();
  if (result == 0)
    got(edge_of(semaphore));
  else
    elapse(system_call);
  return result;
}

LBHM_EXPORT int sem_post(sem_t* semaphore) noexcept {
  if (!may_be_program(__builtin_return_address(0))) return real_sem_post(semaphore);
  brings(edge_of(semaphore));
  engine::ordered_begin();
  const int result = real_sem_post(semaphore);
  changed();
  engine::ordered_end();
  return result;
}
