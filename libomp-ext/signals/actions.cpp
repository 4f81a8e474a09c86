// Functions by which a program says what is to happen at a signal. For SIGSEGV it goes on seeing its own action while
// our handler is in front of it; handlers that block SIGSEGV make watching rest.
#include <signal.h>

#include <cerrno>

#include "libomp-ext/real/real_function.h"
#include "runtime/sampling/watching.h"

namespace {

using lbhm::real::RealFunction;
namespace watching = lbhm::watching;

using Handler = void (*)(int);

constinit RealFunction<int(int, const struct sigaction*, struct sigaction*)> real_action("sigaction");
constinit RealFunction<Handler(int, Handler)> real_signal("signal");
constinit RealFunction<Handler(int, Handler)> real_system_v("__sysv_signal");
constinit RealFunction<Handler(int, Handler)> real_set("sigset");
constinit RealFunction<int(int)> real_ignore("sigignore");

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
