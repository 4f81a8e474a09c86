// Reading from and writing to what may block: pipes, sockets, eventfd. A lane asks first whether it would block, and
// sleeps then (sleepers.h); what it does to them is done in its turn. For a thread that is no lane, and has read, it is
// not earlier than for whoever wrote last.
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/descriptors.h"
#include "libomp-ext/virtual/order/edges.h"
#include "libomp-ext/virtual/order/sleepers.h"
#include "runtime/interpose/real_function.h"

namespace {

using namespace lbhm::openmp;
using lbhm::real::RealFunction;
namespace engine = lbhm::engine;
namespace clock_ = lbhm::clock;

constinit RealFunction<ssize_t(int, void*, std::size_t)> real_read("read");
constinit RealFunction<ssize_t(int, const void*, std::size_t)> real_write("write");
constinit RealFunction<ssize_t(int, const iovec*, int)> real_readv("readv"), real_writev("writev");
constinit RealFunction<ssize_t(int, void*, std::size_t, int)> real_recv("recv");
constinit RealFunction<ssize_t(int, const void*, std::size_t, int)> real_send("send");
constinit RealFunction<ssize_t(int, void*, std::size_t, int, sockaddr*, socklen_t*)> real_recvfrom("recvfrom");
constinit RealFunction<ssize_t(int, const void*, std::size_t, int, const sockaddr*, socklen_t)> real_sendto("sendto");
constinit RealFunction<ssize_t(int, msghdr*, int)> real_recvmsg("recvmsg");
constinit RealFunction<ssize_t(int, const msghdr*, int)> real_sendmsg("sendmsg");
constinit RealFunction<int(int, sockaddr*, socklen_t*)> real_accept("accept");
constinit RealFunction<int(int, sockaddr*, socklen_t*, int)> real_accept4("accept4");
constinit RealFunction<int(int)> real_close("close");
constinit RealFunction<int(int, int)> real_shutdown("shutdown");

[[gnu::constructor]] void find_transfers() {
  lbhm::real::find_all(real_read, real_write, real_readv, real_writev, real_recv, real_send, real_recvfrom, real_sendto,
                       real_recvmsg, real_sendmsg, real_accept, real_accept4, real_close, real_shutdown);
}

struct Wanted {
  int file;
  short events;
};

bool has_come(const void* what) {
  const auto* wanted = static_cast<const Wanted*>(what);
  return is_ready(wanted->file, wanted->events);
}

bool never_blocks(int file, int flags) {
  return (flags & MSG_DONTWAIT) != 0 || (fcntl(file, F_GETFL) & O_NONBLOCK) != 0;
}

/// Of a socket for which the program set one (SO_RCVTIMEO, SO_SNDTIMEO).
std::optional<clock_::Time> limit_of_socket(const Wanted& wanted) {
  const int error = errno;
  timeval limit{};
  socklen_t bytes = sizeof(limit);
  const int option = wanted.events == POLLIN ? SO_RCVTIMEO : SO_SNDTIMEO;
  const bool known = getsockopt(wanted.file, SOL_SOCKET, option, &limit, &bytes) == 0;
  errno = error;
  const clock_::Time all = limit.tv_sec * clock_::second + clock_::Time{limit.tv_usec} * 1000;
  return known && all > 0 ? std::optional(all) : std::nullopt;
}

/// A loop that tries again gets on by a little; the limit of a socket has passed for who really waited for it.
void note_refusal(ssize_t result, std::optional<clock_::Time> waited) {
  if (result >= 0 || errno != EAGAIN) return;
  clock_::elapse(waited ? lbhm::Nanoseconds(static_cast<double>(*waited)) : clock_::system_call);
  errno = EAGAIN;
}

template <class Real>
ssize_t of_lane(const Wanted& wanted, bool at_once, Real real) {
  const auto attempt = [&]() -> std::optional<ssize_t> {
    if (at_once || is_ready(wanted.file, wanted.events)) return real();
    return std::nullopt;
  };
  const auto limit = at_once ? std::nullopt : limit_of_socket(wanted);
  const auto result = ask(attempt, limit ? limit : left_of_timer(wanted.file), has_come, &wanted);
  if (result) return *result;
  if (!limit) return real();  // a timer of the program has come in virtual time, and comes in real time
  errno = EAGAIN;
  return -1;
}

/// The call itself, by a thread that is no lane.
template <class Real>
ssize_t of_thread(const Wanted& wanted, int flags, Real real) {
  const ssize_t result = real();
  if (result >= 0 || errno != EAGAIN || never_blocks(wanted.file, flags)) return result;
  errno = EAGAIN;
  note_refusal(result, limit_of_socket(wanted));
  return result;
}

/// `flags`: of the call, as recv has them.
template <class Real>
ssize_t transfer(int file, short events, int flags, const void* caller, Real real) {
  if (!clock_::may_be_program(caller)) return real();
  const bool lane = lane_calls();
  const Wanted wanted{.file = file, .events = events};
  if (!lane && !has_threads() && !any_sleeper() && !left_of_timer(file)) return of_thread(wanted, flags, real);
  const auto what = channel(file);
  if (!what) return real();
  if (events == POLLOUT) {
    brings(*what);
    brings(any_channel);
  }
  const ssize_t result = lane ? of_lane(wanted, never_blocks(file, flags), real) : of_thread(wanted, flags, real);
  const int error = errno;
  if (!lane) changed();
  if (events == POLLIN && result >= 0) got(*what);
  errno = error;
  note_refusal(result, std::nullopt);
  return result;
}

/// A pipe that takes anything at all takes so much: the rest waits for its readers.
constexpr std::size_t surely = 4096;

ssize_t write_in_parts(int file, const char* from, std::size_t bytes, const void* caller) {
  const bool whole = bytes <= surely || !clock_::may_be_program(caller) || !lane_calls() || never_blocks(file, 0);
  std::size_t done = 0;
  do {
    const std::size_t part = whole ? bytes : std::min(bytes - done, surely);
    const ssize_t result = transfer(file, POLLOUT, 0, caller, [&] { return real_write(file, from + done, part); });
    if (result < 0) return done > 0 ? static_cast<ssize_t>(done) : result;
    done += static_cast<std::size_t>(result);
    if (result == 0) break;
  } while (!whole && done < bytes);
  return static_cast<ssize_t>(done);
}

/// What a timer says when it is read.
ssize_t read_timer_too(int file, void* to, ssize_t result) {
  if (result == sizeof(std::uint64_t) && left_of_timer(file)) timer_came(file, *static_cast<std::uint64_t*>(to));
  return result;
}

}  // namespace

LBHM_EXPORT ssize_t read(int file, void* to, std::size_t bytes) {
  const void* const caller = __builtin_return_address(0);
  if (!clock_::may_be_program(caller)) return real_read(file, to, bytes);
  return read_timer_too(file, to, transfer(file, POLLIN, 0, caller, [=] { return real_read(file, to, bytes); }));
}
LBHM_EXPORT ssize_t __read_chk(int file, void* to, std::size_t bytes, std::size_t room) {
  if (bytes > room) __builtin_trap();
  return transfer(file, POLLIN, 0, __builtin_return_address(0), [=] { return real_read(file, to, bytes); });
}
LBHM_EXPORT ssize_t write(int file, const void* from, std::size_t bytes) {
  return write_in_parts(file, static_cast<const char*>(from), bytes, __builtin_return_address(0));
}
LBHM_EXPORT ssize_t readv(int file, const iovec* parts, int count) {
  return transfer(file, POLLIN, 0, __builtin_return_address(0), [=] { return real_readv(file, parts, count); });
}
LBHM_EXPORT ssize_t writev(int file, const iovec* parts, int count) {
  return transfer(file, POLLOUT, 0, __builtin_return_address(0), [=] { return real_writev(file, parts, count); });
}
LBHM_EXPORT ssize_t recv(int file, void* to, std::size_t bytes, int flags) {
  return transfer(file, POLLIN, flags, __builtin_return_address(0), [=] { return real_recv(file, to, bytes, flags); });
}
LBHM_EXPORT ssize_t send(int file, const void* from, std::size_t bytes, int flags) {
  return transfer(file, POLLOUT, flags, __builtin_return_address(0),
                  [=] { return real_send(file, from, bytes, flags); });
}
LBHM_EXPORT ssize_t recvfrom(int file, void* to, std::size_t bytes, int flags, sockaddr* address, socklen_t* length) {
  return transfer(file, POLLIN, flags, __builtin_return_address(0),
                  [=] { return real_recvfrom(file, to, bytes, flags, address, length); });
}
LBHM_EXPORT ssize_t sendto(int file, const void* from, std::size_t bytes, int flags, const sockaddr* address,
                           socklen_t length) {
  return transfer(file, POLLOUT, flags, __builtin_return_address(0),
                  [=] { return real_sendto(file, from, bytes, flags, address, length); });
}
LBHM_EXPORT ssize_t recvmsg(int file, msghdr* message, int flags) {
  return transfer(file, POLLIN, flags, __builtin_return_address(0), [=] { return real_recvmsg(file, message, flags); });
}
LBHM_EXPORT ssize_t sendmsg(int file, const msghdr* message, int flags) {
  return transfer(file, POLLOUT, flags, __builtin_return_address(0),
                  [=] { return real_sendmsg(file, message, flags); });
}
LBHM_EXPORT int accept(int file, sockaddr* address, socklen_t* length) {
  return static_cast<int>(transfer(file, POLLIN, 0, __builtin_return_address(0),
                                   [=]() -> ssize_t { return real_accept(file, address, length); }));
}
LBHM_EXPORT int accept4(int file, sockaddr* address, socklen_t* length, int flags) {
  return static_cast<int>(transfer(file, POLLIN, 0, __builtin_return_address(0),
                                   [=]() -> ssize_t { return real_accept4(file, address, length, flags); }));
}

// What ends others' waits, too.
namespace {

template <class Real>
int end_channel(int file, const void* caller, Real real) {
  if (!clock_::may_be_program(caller) || (!has_threads() && !any_sleeper())) return real();
  if (const auto what = channel(file)) brings(*what);
  note_timer(file, 0, 0);
  return end_waits(real);
}

}  // namespace

LBHM_EXPORT int close(int file) {
  return end_channel(file, __builtin_return_address(0), [=] { return real_close(file); });
}
LBHM_EXPORT int shutdown(int file, int how) noexcept {
  return end_channel(file, __builtin_return_address(0), [=] { return real_shutdown(file, how); });
}
