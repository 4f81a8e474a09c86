// What may block in the kernel by way of a file descriptor: pipes, sockets, eventfd, timerfd.
#pragma once

#include <poll.h>

#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "libomp-ext/virtual/order/edges.h"

namespace lbhm::openmp {

/// Names what comes through the descriptor; nothing for regular files and terminals, for which nobody waits in virtual
/// time. The ends of a pipe have one name, and so have all sockets.
std::optional<EdgeName> channel(int file);
/// What comes through any of them.
inline constexpr EdgeName any_channel = EdgeName{4} << 56;

/// As poll with a limit of 0, past everybody.
int poll_now(pollfd* files, nfds_t count);
bool is_ready(int file, short events);

/// A timer that the program set: it comes at that clock of a thread, and then every `interval`.
void note_timer(int file, clock::Time left, clock::Time interval);
/// Virtual time until it comes next; nothing: it is none, or comes no more.
std::optional<clock::Time> left_of_timer(int file);
/// The caller found that it has come: its clock is not before that.
void timer_is_ready(int file);
/// The caller took it, `times` times at once.
void timer_came(int file, std::uint64_t times);

}  // namespace lbhm::openmp
