#include "runtime/host/sampling/fault_handler.h"

#include <sys/ucontext.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>

#include "runtime/host/sampling/obstacles.h"
#include "runtime/host/sampling/pauses.h"
#include "runtime/host/sampling/watching.h"

namespace lbhm::sampling {
namespace {

std::atomic<FaultFilter> the_filter{nullptr};
/// What the program wants done; guarded by ProcessWords::actions.
constinit struct sigaction programs{};

bool was_store([[maybe_unused]] const ucontext_t& context) {
#if defined(__x86_64__)
  return (context.uc_mcontext.gregs[REG_ERR] & 2) != 0;  // page-fault error code: W/R
#elif defined(__aarch64__)
  // A record of the extended context holds the syndrome register (asm/sigcontext.h, esr_context); bit 6 is WnR.
  constexpr std::uint32_t esr_magic = 0x45535201;
  const auto* at = reinterpret_cast<const unsigned char*>(context.uc_mcontext.__reserved);
  const auto* const end = at + sizeof context.uc_mcontext.__reserved;
  while (at + 16 <= end) {
    std::uint32_t magic = 0, bytes = 0;
    std::uint64_t syndrome = 0;
    std::memcpy(&magic, at, sizeof magic);
    std::memcpy(&bytes, at + 4, sizeof bytes);
    std::memcpy(&syndrome, at + 8, sizeof syndrome);
    if (magic == esr_magic) return (syndrome & 1u << 6) != 0;
    if (magic == 0 || bytes < 8) break;
    at += bytes;
  }
  return false;
#else
  return false;
#endif
}

void on_fault(int signal, siginfo_t* info, void* context);

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == on_fault;
}
bool has_handler(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

/// Puts our handler in front of `programs`. It runs on the stack that the program's asks for, and interrupts system
/// calls where that would; where the program has none, it interrupts nothing.
bool go_in_front() {
  struct sigaction ours{};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | (has_handler(programs) ? programs.sa_flags & (SA_ONSTACK | SA_RESTART) : SA_RESTART);
  sigfillset(&ours.sa_mask);
  return direct::action(SIGSEGV, &ours, nullptr) == 0;
}

/// The kernel's own answer: the access is repeated, or the signal sent again, without a handler.
void by_default(const siginfo_t& info) {
  struct sigaction none{};
  none.sa_handler = SIG_DFL;
  direct::action(SIGSEGV, &none, nullptr);
  if (info.si_code <= 0) raise(SIGSEGV);  // somebody sent it: no access will bring it back
}

/// What to do now; SA_RESETHAND is once only.
struct sigaction take_programs() {
  const std::lock_guard guard(process_words()->actions);
  const struct sigaction chosen = programs;
  if (has_handler(chosen) && (chosen.sa_flags & SA_RESETHAND)) {
    programs.sa_flags &= ~SA_SIGINFO;
    programs.sa_handler = SIG_DFL;
  }
  return chosen;
}

/// The mask that the kernel would give the program's handler. Where that blocks SIGSEGV nothing may stay armed.
void enter_mask(const struct sigaction& chosen, const ucontext_t& context, int signal) {
  sigset_t mask = context.uc_sigmask;
  sigorset(&mask, &mask, &chosen.sa_mask);
  if (!(chosen.sa_flags & SA_NODEFER)) sigaddset(&mask, signal);
  const bool blocks = sigismember(&mask, SIGSEGV) == 1;
  if (blocks) pauses().begin();
  direct::set_mask(SIG_SETMASK, mask, nullptr);
  if (blocks) pauses().end();  // the mask itself keeps others from arming now
}

/// As the kernel would call it: with its mask, and once only if it asked for that.
void by_program(int signal, siginfo_t* info, void* context) {
  const struct sigaction chosen = take_programs();
  if (!has_handler(chosen)) {
    // An access that faults cannot be ignored; a signal that was sent can.
    if (chosen.sa_handler == SIG_DFL || info->si_code > 0) by_default(*info);
    return;
  }
  enter_mask(chosen, *static_cast<const ucontext_t*>(context), signal);
  if (chosen.sa_flags & SA_SIGINFO) {
    chosen.sa_sigaction(signal, info, context);
  } else {
    chosen.sa_handler(signal);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const FaultFilter filter = the_filter.load(std::memory_order_acquire);
  // Armed pages are mapped but forbidden; whatever is not mapped is no business of ours.
  const bool forbidden = info->si_code == SEGV_ACCERR;
  const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const bool again = forbidden && filter && filter(address, was_store(*static_cast<const ucontext_t*>(context)));
  if (!again) by_program(signal, info, context);
  errno = error;
}

}  // namespace

bool install_fault_handler(FaultFilter filter) {
  ProcessWords* const words = process_words();
  if (!words) return false;
  the_filter.store(filter, std::memory_order_release);
  const SignalsBlocked blocked;
  const std::lock_guard guard(words->actions);
  struct sigaction now{};
  if (direct::action(SIGSEGV, nullptr, &now) != 0) return false;
  if (is_ours(now)) return true;
  programs = now;
  return go_in_front();
}

}  // namespace lbhm::sampling

namespace lbhm::watching {

using namespace sampling;

int segv_action(const struct sigaction* fresh, struct sigaction* before, SigactionFunction* real) {
  ProcessWords* const words = process_words();
  if (!words) return real(SIGSEGV, fresh, before);
  // Copies: what the program hands in may lie in a page that is armed.
  struct sigaction wanted{};
  if (fresh) wanted = *fresh;
  struct sigaction had{};
  int result = 0;
  {
    const SignalsBlocked blocked;
    const std::lock_guard guard(words->actions);
    if (direct::action(SIGSEGV, nullptr, &had) == 0 && is_ours(had)) {
      had = programs;
      if (fresh) programs = wanted;
      if (fresh) go_in_front();
    } else {
      result = real(SIGSEGV, fresh ? &wanted : nullptr, &had);
    }
  }
  if (before && result == 0) *before = had;
  return result;
}

}  // namespace lbhm::watching
