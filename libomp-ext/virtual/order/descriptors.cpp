#include "libomp-ext/virtual/order/descriptors.h"

#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>

#include "runtime/interpose/real_function.h"

namespace lbhm::openmp {
namespace {

/// Keeps the caller's errno.
template <class Call>
long quietly(Call call) {
  const int error = errno;
  const long result = call();
  errno = error;
  return result;
}

/// When the timer of a descriptor comes next, and how often then; 0: it does not.
struct Timer {
  std::atomic<double> next{0};
  std::atomic<double> interval{0};
};
constinit std::array<Timer, 1024> timers{};  // of descriptors beyond, time is real

Timer* timer_of(int file) {
  if (file < 0 || static_cast<std::size_t>(file) >= timers.size()) return nullptr;
  Timer& timer = timers[static_cast<std::size_t>(file)];
  return timer.next.load() > 0 ? &timer : nullptr;
}

}  // namespace

std::optional<EdgeName> channel(int file) {
  constexpr EdgeName pipes = EdgeName{1} << 56, files = EdgeName{2} << 56, sockets = EdgeName{3} << 56;
  struct stat info{};
  if (quietly([&] { return syscall(SYS_fstat, file, &info); }) != 0) return std::nullopt;
  switch (info.st_mode & S_IFMT) {
    case S_IFIFO:
      return pipes | (info.st_ino & (pipes - 1));
    case S_IFSOCK:
      return sockets;
    case 0:  // eventfd and its like
      return files | static_cast<EdgeName>(file);
    default:
      return std::nullopt;
  }
}

int poll_now(pollfd* files, nfds_t count) {
  const timespec at_once{};
  return static_cast<int>(quietly([&] { return syscall(SYS_ppoll, files, count, &at_once, nullptr, 0); }));
}

bool is_ready(int file, short events) {
  pollfd asked{.fd = file, .events = events, .revents = 0};
  return poll_now(&asked, 1) != 0;
}

void note_timer(int file, clock::Time left, clock::Time interval) {
  if (file < 0 || static_cast<std::size_t>(file) >= timers.size()) return;
  Timer& timer = timers[static_cast<std::size_t>(file)];
  timer.next.store(left > 0 ? clock_here().value + static_cast<double>(left) : 0);
  timer.interval.store(static_cast<double>(interval));
}

std::optional<clock::Time> left_of_timer(int file) {
  const Timer* timer = timer_of(file);
  if (!timer) return std::nullopt;
  return std::max<clock::Time>(std::llround(timer->next.load() - clock_here().value), 0);
}

void timer_is_ready(int file) {
  if (const Timer* timer = timer_of(file)) not_before(Nanoseconds(timer->next.load()));
}

void timer_came(int file, std::uint64_t times) {
  Timer* timer = timer_of(file);
  if (!timer || times == 0) return;
  const double first = timer->next.load(), interval = timer->interval.load();
  const double last = first + static_cast<double>(times - 1) * interval;
  timer->next.store(interval > 0 ? last + interval : 0);
  not_before(Nanoseconds(last));
}

}  // namespace lbhm::openmp

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;

constinit RealFunction<int(int, int, const itimerspec*, itimerspec*)> real_settime("timerfd_settime");
constinit RealFunction<int(int, int)> real_create("timerfd_create");

[[gnu::constructor]] void find_timers() { lbhm::real::find_all(real_settime, real_create); }

std::array<clockid_t, 1024> clocks_of_timers{};

}  // namespace

LBHM_EXPORT int timerfd_create(clockid_t clock, int flags) noexcept {
  const int file = real_create(clock, flags);
  if (file >= 0 && static_cast<std::size_t>(file) < clocks_of_timers.size()) {
    clocks_of_timers[static_cast<std::size_t>(file)] = clock;
    lbhm::openmp::note_timer(file, 0, 0);
  }
  return file;
}

/// The timer runs in real time for as long as is left of virtual time.
LBHM_EXPORT int timerfd_settime(int file, int flags, const itimerspec* fresh, itimerspec* before) noexcept {
  const void* const caller = __builtin_return_address(0);
  const bool known = file >= 0 && static_cast<std::size_t>(file) < clocks_of_timers.size();
  if (!known || !fresh || !applies_to(caller)) return real_settime(file, flags, fresh, before);
  itimerspec real = *fresh;
  Time left = to_time(fresh->it_value);
  if (left > 0 && (flags & TFD_TIMER_ABSTIME) != 0) {
    const auto now = read(clocks_of_timers[static_cast<std::size_t>(file)], caller);
    left = now ? std::max<Time>(left - *now, 1) : left;
    real.it_value = to_timespec(left);
  }
  const int result = real_settime(file, flags & ~TFD_TIMER_ABSTIME, &real, before);
  if (result == 0) lbhm::openmp::note_timer(file, left, to_time(fresh->it_interval));
  return result;
}
