// Functions by which a program says what is to happen at a signal. For SIGSEGV it goes on seeing its own action while
// our handler is in front of it; handlers that block SIGSEGV make watching rest.
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <cerrno>
#include <optional>

#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/host/sampling/watching.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::real::RealFunction;
namespace watching = lbhm::watching;

using Handler = void (*)(int);

constinit RealFunction<int(int, const struct sigaction*, struct sigaction*)> real_action("sigaction");
constinit RealFunction<Handler(int, Handler)> real_signal("signal");
constinit RealFunction<Handler(int, Handler)> real_system_v("__sysv_signal");
constinit RealFunction<Handler(int, Handler)> real_set("sigset");
constinit RealFunction<int(int)> real_ignore("sigignore");

[[gnu::constructor]] void find_actions() {
  lbhm::real::find_all(real_action, real_signal, real_system_v, real_set, real_ignore);
}

bool is_fault(int signal) { return signal == SIGSEGV && watching::possible(); }

int act_on_fault(const struct sigaction* fresh, struct sigaction* before) {
  return watching::segv_action(fresh, before, real_action.get());
}

/// signal(SIGSEGV, handler) with these flags.
Handler handle_fault(Handler handler, int flags, bool masked) {
  if (handler == SIG_ERR) {
    errno = EINVAL;
    return SIG_ERR;
  }
  struct sigaction fresh{};
  struct sigaction before{};
  fresh.sa_handler = handler;
  fresh.sa_flags = flags;
  if (masked) sigaddset(&fresh.sa_mask, SIGSEGV);
  return act_on_fault(&fresh, &before) == 0 ? before.sa_handler : SIG_ERR;
}

Handler by_signal(int signal, Handler handler) {
  return is_fault(signal) ? handle_fault(handler, SA_RESTART, true) : real_signal(signal, handler);
}
Handler by_system_v(int signal, Handler handler) {
  constexpr int once = static_cast<int>(SA_RESETHAND) | SA_NODEFER;
  return is_fault(signal) ? handle_fault(handler, once, false) : real_system_v(signal, handler);
}

bool handler_blocks_faults(const struct sigaction* action) {
  return watching::possible() && action && sigismember(&action->sa_mask, SIGSEGV) == 1;
}

}  // namespace

LBHM_EXPORT int sigaction(int signal, const struct sigaction* fresh, struct sigaction* before) noexcept {
  if (is_fault(signal)) return act_on_fault(fresh, before);
  if (!handler_blocks_faults(fresh)) return real_action(signal, fresh, before);
  const watching::Pause pause;
  return real_action(signal, fresh, before);
}

LBHM_EXPORT Handler signal(int signal, Handler handler) noexcept { return by_signal(signal, handler); }
LBHM_EXPORT Handler bsd_signal(int signal, Handler handler) noexcept { return by_signal(signal, handler); }
LBHM_EXPORT Handler ssignal(int signal, Handler handler) noexcept { return by_signal(signal, handler); }
LBHM_EXPORT Handler sysv_signal(int signal, Handler handler) noexcept { return by_system_v(signal, handler); }
LBHM_EXPORT Handler __sysv_signal(int signal, Handler handler) noexcept { return by_system_v(signal, handler); }

/// Either blocks the signal, or sets what happens and unblocks it; returns what was.
LBHM_EXPORT Handler sigset(int signal, Handler handler) noexcept {
  if (!is_fault(signal)) return real_set(signal, handler);
  sigset_t fault;
  sigset_t before;
  sigemptyset(&fault);
  sigaddset(&fault, signal);
  struct sigaction was{};
  const bool hold = handler == SIG_HOLD;
  if (hold) act_on_fault(nullptr, &was);
  const Handler had = hold ? was.sa_handler : handle_fault(handler, 0, false);
  if (had == SIG_ERR || sigprocmask(hold ? SIG_BLOCK : SIG_UNBLOCK, &fault, &before) != 0) return SIG_ERR;
  return sigismember(&before, signal) == 1 ? SIG_HOLD : had;
}

LBHM_EXPORT int sigignore(int signal) noexcept {
  if (!is_fault(signal)) return real_ignore(signal);
  return handle_fault(SIG_IGN, 0, false) == SIG_ERR ? -1 : 0;
}

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

[[gnu::constructor]] void find_masks() {
  lbhm::real::find_all(real_thread_mask, real_process_mask, real_hold, real_block, real_set_mask, real_suspend,
                       real_poll, real_checked_poll, real_select, real_wait, real_wait_2, real_thread_attribute);
}

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

/// `call` waits with a mask of signals, really, for at most `limit`.
template <class Call>
int with_mask(const sigset_t* mask, const timespec* limit, const void* caller, const Call& call) {
  const int result = paused_if(blocks_faults(mask), call);
  if (result == 0) lbhm::openmp::limit_passed(limit, caller);
  return result;
}

// Without a mask they are waits like others, in virtual time.
using lbhm::openmp::epoll_by_clock, lbhm::openmp::poll_by_clock, lbhm::openmp::select_by_clock;

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
  const void* const caller = __builtin_return_address(0);
  if (const auto polled = mask ? std::nullopt : poll_by_clock(files, count, limit, caller)) return *polled;
  return with_mask(mask, limit, caller, [=] { return real_poll(files, count, limit, mask); });
}
LBHM_EXPORT int __ppoll_chk(pollfd* files, nfds_t count, const timespec* limit, const sigset_t* mask,
                            std::size_t bytes) {
  return with_mask(mask, limit, __builtin_return_address(0),
                   [=] { return real_checked_poll(files, count, limit, mask, bytes); });
}
LBHM_EXPORT int pselect(int count, fd_set* read, fd_set* write, fd_set* other, const timespec* limit,
                        const sigset_t* mask) {
  const void* const caller = __builtin_return_address(0);
  if (const auto selected = mask ? std::nullopt : select_by_clock(count, read, write, other, limit, caller))
    return *selected;
  return with_mask(mask, limit, caller, [=] { return real_select(count, read, write, other, limit, mask); });
}
LBHM_EXPORT int epoll_pwait(int file, epoll_event* events, int most, int limit, const sigset_t* mask) {
  const timespec left{.tv_sec = limit / 1000, .tv_nsec = limit % 1000 * 1'000'000L};
  const void* const caller = __builtin_return_address(0);
  if (const auto waited = mask ? std::nullopt : epoll_by_clock(file, events, most, limit < 0 ? nullptr : &left, caller))
    return *waited;
  return with_mask(mask, limit < 0 ? nullptr : &left, caller,
                   [=] { return real_wait(file, events, most, limit, mask); });
}
LBHM_EXPORT int epoll_pwait2(int file, epoll_event* events, int most, const timespec* limit, const sigset_t* mask) {
  const void* const caller = __builtin_return_address(0);
  if (const auto waited = mask ? std::nullopt : epoll_by_clock(file, events, most, limit, caller)) return *waited;
  return with_mask(mask, limit, caller, [=] { return real_wait_2(file, events, most, limit, mask); });
}

/// Threads that begin with SIGSEGV blocked do so at any time, without a call of theirs.
LBHM_EXPORT int pthread_attr_setsigmask_np(pthread_attr_t* attributes, const sigset_t* mask) {
  if (mask && sigismember(mask, SIGSEGV) == 1)
    lbhm::watching::never_again(
        "the program creates threads that begin with SIGSEGV blocked (pthread_attr_setsigmask_np); take SIGSEGV out of "
        "their mask (sigdelset), or set LBHM_SAMPLER=faults");
  return real_thread_attribute(attributes, mask);
}

namespace {
constinit lbhm::real::RealFunction<int(const stack_t*, stack_t*)> real_stack("sigaltstack");

[[gnu::constructor]] void find_stack() { lbhm::real::find_all(real_stack); }
}  // namespace

LBHM_EXPORT int sigaltstack(const stack_t* fresh, stack_t* before) noexcept {
  const bool gives_up = fresh && (fresh->ss_flags & SS_DISABLE);
  if (fresh && !gives_up) lbhm::watching::alternate_stack(fresh->ss_sp, fresh->ss_size);
  const int result = real_stack(fresh, before);
  if (gives_up && result == 0) lbhm::watching::alternate_stack(nullptr, 0);
  return result;
}
