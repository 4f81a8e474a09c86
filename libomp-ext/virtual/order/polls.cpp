// poll, select and epoll in virtual time. Without descriptors they are sleeps. A lane asks in its turn, and sleeps
// until something comes or the limit has passed on its clock; a thread that is no lane waits in real time for what
// comes from elsewhere, and its limit passes on its clock, too. Who asks in a loop without a limit gets on by a little.
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include <algorithm>
#include <climits>
#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/descriptors.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::clock;
using namespace lbhm::openmp;
using lbhm::Nanoseconds;
using lbhm::real::RealFunction;

constinit RealFunction<int(pollfd*, nfds_t, int)> real_poll("poll");
constinit RealFunction<int(int, fd_set*, fd_set*, fd_set*, timeval*)> real_select("select");
constinit RealFunction<int(int, epoll_event*, int, int)> real_epoll("epoll_wait");

[[gnu::constructor]] void find_polls() { lbhm::real::find_all(real_poll, real_select, real_epoll); }

void passes(Time duration) { elapse(Nanoseconds(static_cast<double>(duration)) + system_call); }

/// What a wait for descriptors is made of.
template <class AtOnce, class Real, class Came>
struct Polling {
  AtOnce at_once;  ///< asks without waiting: as the call answers
  Real real;       ///< the call itself
  Came came;       ///< tells of each descriptor that is ready
};

template <class AtOnce>
bool any(const void* at_once) {
  return (*static_cast<const AtOnce*>(at_once))() != 0;
}

template <class AtOnce, class Real, class Came>
int wait_for_files(std::optional<Time> limit, Polling<AtOnce, Real, Came> files) {
  int result = files.at_once();
  if (result == 0 && limit == 0) {
    elapse(system_call);
    return 0;
  }
  if (result == 0 && lane_calls()) {
    const auto attempt = [&]() -> std::optional<int> {
      const int found = files.at_once();
      return found != 0 ? std::optional(found) : std::nullopt;
    };
    result = ask(attempt, limit, any<AtOnce>, &files.at_once).value_or(0);
  } else if (result == 0) {
    result = files.real();
    if (result == 0 && limit) passes(*limit);
  }
  if (result > 0) files.came();
  return result;
}

/// A descriptor that is ready, as far as others brought that.
void found(int file, bool readable) {
  if (!readable) return;
  if (left_of_timer(file)) return timer_is_ready(file);
  if (const auto what = has_threads() ? channel(file) : std::nullopt) got(*what);
}

std::optional<Time> limit_of(int milliseconds) {
  return milliseconds < 0 ? std::nullopt : std::optional(Time{milliseconds} * 1'000'000);
}

int poll_in_virtual_time(pollfd* files, nfds_t count, std::optional<Time> limit) {
  if (count == 0 && limit) {
    passes(*limit);
    return 0;
  }
  const timespec real_limit = to_timespec(limit.value_or(0));
  return wait_for_files(limit, Polling{[=] { return poll_now(files, count); },
                                       [=] { return ppoll(files, count, limit ? &real_limit : nullptr, nullptr); },
                                       [=] {
                                         for (nfds_t i = 0; i < count; ++i)
                                           if (files[i].revents != 0)
                                             found(files[i].fd, (files[i].events & POLLIN) != 0);
                                       }});
}

struct Sets {
  std::optional<fd_set> read, write, other;
  Sets(const fd_set* r, const fd_set* w, const fd_set* o) {
    if (r) read = *r;
    if (w) write = *w;
    if (o) other = *o;
  }
  static fd_set* of(std::optional<fd_set>& set) { return set ? &*set : nullptr; }
};

int select_in_virtual_time(int count, fd_set* read, fd_set* write, fd_set* other, std::optional<Time> limit) {
  if (limit && (count == 0 || (!read && !write && !other))) {
    passes(*limit);
    return 0;
  }
  const Sets wanted(read, write, other);
  const auto ask_for = [=](timeval* t) {
    Sets sets = wanted;
    const int result = real_select(count, Sets::of(sets.read), Sets::of(sets.write), Sets::of(sets.other), t);
    if (read) *read = *sets.read;
    if (write) *write = *sets.write;
    if (other) *other = *sets.other;
    return result;
  };
  return wait_for_files(limit, Polling{[=] {
                                         timeval none{};
                                         return ask_for(&none);
                                       },
                                       [=] {
                                         timeval left{.tv_sec = limit.value_or(0) / second,
                                                      .tv_usec = limit.value_or(0) % second / 1000};
                                         return ask_for(limit ? &left : nullptr);
                                       },
                                       [=] {
                                         for (int file = 0; read && file < count; ++file)
                                           if (FD_ISSET(file, read)) found(file, true);
                                       }});
}

int epoll_in_virtual_time(int file, epoll_event* events, int most, int limit) {
  const auto ask_for = [=](int milliseconds) { return real_epoll(file, events, most, milliseconds); };
  return wait_for_files(limit_of(limit), Polling{[=] { return ask_for(0); }, [=] { return ask_for(limit); },
                                                 [=] {
                                                   if (has_threads()) got(any_channel);
                                                 }});
}

}  // namespace

LBHM_EXPORT int poll(pollfd* files, nfds_t count, int limit) {
  if (!may_be_program(__builtin_return_address(0))) return real_poll(files, count, limit);
  return poll_in_virtual_time(files, count, limit_of(limit));
}

LBHM_EXPORT int __poll_chk(pollfd* files, nfds_t count, int limit, std::size_t room) {
  if (room / sizeof(*files) < count) __builtin_trap();
  if (!may_be_program(__builtin_return_address(0))) return real_poll(files, count, limit);
  return poll_in_virtual_time(files, count, limit_of(limit));
}

LBHM_EXPORT int select(int count, fd_set* read, fd_set* write, fd_set* other, timeval* limit) {
  if (!may_be_program(__builtin_return_address(0))) return real_select(count, read, write, other, limit);
  const auto left = limit ? std::optional<Time>(limit->tv_sec * second + Time{limit->tv_usec} * 1000) : std::nullopt;
  return select_in_virtual_time(count, read, write, other, left);
}

LBHM_EXPORT int epoll_wait(int file, epoll_event* events, int most, int limit) {
  if (!may_be_program(__builtin_return_address(0))) return real_epoll(file, events, most, limit);
  return epoll_in_virtual_time(file, events, most, limit);
}

// The same with a mask of signals: signal_functions.cpp is in front of these, for the mask's sake.
std::optional<int> lbhm::openmp::poll_by_clock(pollfd* files, nfds_t count, const timespec* limit, const void* caller) {
  if (!may_be_program(caller)) return std::nullopt;
  return poll_in_virtual_time(files, count, limit ? std::optional(to_time(*limit)) : std::nullopt);
}
std::optional<int> lbhm::openmp::select_by_clock(int count, fd_set* read, fd_set* write, fd_set* other,
                                                 const timespec* limit, const void* caller) {
  if (!may_be_program(caller)) return std::nullopt;
  return select_in_virtual_time(count, read, write, other, limit ? std::optional(to_time(*limit)) : std::nullopt);
}
std::optional<int> lbhm::openmp::epoll_by_clock(int file, epoll_event* events, int most, const timespec* limit,
                                                const void* caller) {
  if (!may_be_program(caller)) return std::nullopt;
  const Time whole = limit ? (to_time(*limit) + 999'999) / 1'000'000 : -1;
  return epoll_in_virtual_time(file, events, most, static_cast<int>(std::min<Time>(whole, INT_MAX)));
}
