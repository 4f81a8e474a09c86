// Functions by which a thread blocks signals. An armed page ends a program that blocks SIGSEGV, so watching pauses
// while a thread begins to, and rests as long as one does (runtime/sampling/obstacles.h).
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>

#include "libomp-ext/real/real_function.h"
#include "runtime/sampling/watching.h"

namespace {

using lbhm::real::RealFunction;
using lbhm::watching::Pause;

constinit RealFunction<int(int, const sigset_t*, sigset_t*)> real_thread_mask("pthread_sigmask");
constinit RealFunction<int(int, const sigset_t*, sigset_t*)> real_process_mask("sigprocmask");
constinit RealFunction<int(int)> real_hold("sighold");
constinit RealFunction<int(int)> real_block("sigblock");
constinit RealFunction<int(int)> real_set_mask("sigsetmask");
constinit RealFunction<int(const sigset_t*)> real_suspend("sigsuspend");
constinit RealFunction<int(pollfd*, nfds_t, const timespec*, const sigset_t*)> real_poll("ppoll");
constinit RealFunction<int(pollfd*, nfds_t, const timespec*, const sigset_t*, std::size_t)> real_checked_poll(
    "__ppoll_chk");
constinit RealFunction<int(int, fd_set*, fd_set*, fd_set*, const timespec*, const sigset_t*)> real_select("pselect");
constinit RealFunction<int(int, epoll_event*, int, int, const sigset_t*)> real_wait("epoll_pwait");
constinit RealFunction<int(int, epoll_event*, int, const timespec*, const sigset_t*)> real_wait_2("epoll_pwait2");
constinit RealFunction<int(pthread_attr_t*, const sigset_t*)> real_thread_attribute("pthread_attr_setsigmask_np");

bool blocks_faults(const sigset_t* mask) {
  return lbhm::watching::possible() && mask && sigismember(mask, SIGSEGV) == 1;
}

/// Calls with the pause that they need, or without.
template <class Call>
auto paused_if(bool blocks, const Call& call) {
  if (!blocks) return call();
  const Pause pause;
  return call();
}

constexpr int word_bit(int signal) { return 1 << (signal - 1); }  // sigmask() of BSD

}  // namespace

LBHM_EXPORT int pthread_sigmask(int how, const sigset_t* fresh, sigset_t* before) noexcept {
  return paused_if(how != SIG_UNBLOCK && blocks_faults(fresh), [=] { return real_thread_mask(how, fresh, before); });
}
LBHM_EXPORT int sigprocmask(int how, const sigset_t* fresh, sigset_t* before) noexcept {
  return paused_if(how != SIG_UNBLOCK && blocks_faults(fresh), [=] { return real_process_mask(how, fresh, before); });
}
LBHM_EXPORT int sighold(int signal) noexcept {
  return paused_if(lbhm::watching::possible() && signal == SIGSEGV, [=] { return real_hold(signal); });
}
LBHM_EXPORT int sigblock(int mask) noexcept {
  return paused_if(lbhm::watching::possible() && (mask & word_bit(SIGSEGV)), [=] { return real_block(mask); });
}
LBHM_EXPORT int sigsetmask(int mask) noexcept {
  return paused_if(lbhm::watching::possible() && (mask & word_bit(SIGSEGV)), [=] { return real_set_mask(mask); });
}

// Their handlers run with the mask of the wait: the pause lasts as long. They may be cancelled.

LBHM_EXPORT int sigsuspend(const sigset_t* mask) {
  return paused_if(blocks_faults(mask), [=] { return real_suspend(mask); });
}
LBHM_EXPORT int ppoll(pollfd* files, nfds_t count, const timespec* limit, const sigset_t* mask) {
  return paused_if(blocks_faults(mask), [=] { return real_poll(files, count, limit, mask); });
}
LBHM_EXPORT int __ppoll_chk(pollfd* files, nfds_t count, const timespec* limit, const sigset_t* mask,
                            std::size_t bytes) {
  return paused_if(blocks_faults(mask), [=] { return real_checked_poll(files, count, limit, mask, bytes); });
}
LBHM_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* other, const timespec* limit,
                        const sigset_t* mask) {
  return paused_if(blocks_faults(mask), [=] { return real_select(count, read, write, other, limit, mask); });
}
LBHM_EXPORT int epoll_pwait(int file, epoll_event* events, int most, int limit, const sigset_t* mask) {
  return paused_if(blocks_faults(mask), [=] { return real_wait(file, events, most, limit, mask); });
}
LBHM_EXPORT int epoll_pwait2(int file, epoll_event* events, int most, const timespec* limit, const sigset_t* mask) {
  return paused_if(blocks_faults(mask), [=] { return real_wait_2(file, events, most, limit, mask); });
}

/// Threads that begin with SIGSEGV blocked do so at any time, without a call of theirs.
LBHM_EXPORT int pthread_attr_setsigmask_np(pthread_attr_t* attributes, const sigset_t* mask) {
  if (mask && sigismember(mask, SIGSEGV) == 1)
    lbhm::watching::never_again(
        "the program creates threads that begin with SIGSEGV blocked (pthread_attr_setsigmask_np); take SIGSEGV out of "
        "their mask (sigdelset), or set LBHM_SAMPLER=faults");
  return real_thread_attribute(attributes, mask);
}
