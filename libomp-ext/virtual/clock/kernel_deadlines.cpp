// Waits with a limit that the kernel alone ends: for signals, semaphores and messages of System V and of POSIX,
// asynchronous transfers. They really wait, in lanes too; where nothing came, the limit has passed on the program's
// clock as well (deadlines.h).
#include <aio.h>
#include <mqueue.h>
#include <sys/sem.h>

#include <cerrno>
#include <csignal>

#include "libomp-ext/virtual/clock/deadlines.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;

constinit RealFunction<decltype(sigtimedwait)> real_signal("sigtimedwait");
constinit RealFunction<decltype(semtimedop)> real_semaphore("semtimedop");
constinit RealFunction<decltype(mq_timedreceive)> real_receive("mq_timedreceive");
constinit RealFunction<decltype(mq_timedsend)> real_send("mq_timedsend");
constinit RealFunction<decltype(aio_suspend)> real_suspend("aio_suspend");

[[gnu::constructor]] void find_waits() {
  lbhm::real::find_all(real_signal, real_semaphore, real_receive, real_send, real_suspend);
}

/// Of a wait that fails with EAGAIN when its limit, a duration, has passed.
int limited(int result, const timespec* limit, const void* caller) {
  if (result == -1 && errno == EAGAIN) lbhm::openmp::limit_passed(limit, caller);
  return result;
}

template <class Wait>
auto until(const timespec* deadline, const void* caller, Wait wait) {
  return wait_until(CLOCK_REALTIME, deadline, applies_to(caller), wait,
                    [](auto result) { return result == -1 && errno == ETIMEDOUT; });
}

}  // namespace

void lbhm::openmp::limit_passed(const timespec* limit, const void* caller) {
  if (!limit || !applies_to(caller)) return;
  const int error = errno;
  elapse(Nanoseconds(static_cast<double>(to_time(*limit))));
  errno = error;
}

LBHM_EXPORT int sigtimedwait(const sigset_t* signals, siginfo_t* info, const timespec* limit) {
  return limited(real_signal(signals, info, limit), limit, __builtin_return_address(0));
}

LBHM_EXPORT int semtimedop(int semaphores, sembuf* operations, size_t count, const timespec* limit) noexcept {
  return limited(real_semaphore(semaphores, operations, count, limit), limit, __builtin_return_address(0));
}

LBHM_EXPORT int aio_suspend(const aiocb* const transfers[], int count, const timespec* limit) {
  return limited(real_suspend(transfers, count, limit), limit, __builtin_return_address(0));
}

LBHM_EXPORT ssize_t mq_timedreceive(mqd_t queue, char* message, size_t bytes, unsigned* priority,
                                    const timespec* deadline) {
  return until(deadline, __builtin_return_address(0),
               [=](const timespec* t) { return real_receive(queue, message, bytes, priority, t); });
}

LBHM_EXPORT int mq_timedsend(mqd_t queue, const char* message, size_t bytes, unsigned priority,
                             const timespec* deadline) {
  return until(deadline, __builtin_return_address(0),
               [=](const timespec* t) { return real_send(queue, message, bytes, priority, t); });
}
