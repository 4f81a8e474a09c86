#include "runtime/sampling/fault_handler.h"

#include <sys/ucontext.h>
#include <ucontext.h>

#include <atomic>
#include <cerrno>
#include <cstring>

namespace lbhm::sampling {
namespace {

std::atomic<FaultFilter> the_filter{nullptr};
/// What the program had installed; a new one goes into the other place, so that the handler never sees half of it.
struct sigaction programs[2];
std::atomic<unsigned> newest{0};

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

/// The kernel's own answer: the access is repeated, or the signal sent again, without a handler.
void by_default(const siginfo_t& info) {
  struct sigaction none{};
  none.sa_handler = SIG_DFL;
  sigaction(SIGSEGV, &none, nullptr);
  if (info.si_code <= 0) raise(SIGSEGV);  // somebody sent it: no access will bring it back
}

/// As the kernel would call it: with its mask, and once only if it asked for that.
void by_program(int signal, siginfo_t* info, void* context) {
  struct sigaction& action = programs[newest.load(std::memory_order_acquire)];
  const struct sigaction chosen = action;
  const bool plain = (chosen.sa_flags & SA_SIGINFO) == 0;
  if (plain && chosen.sa_handler == SIG_DFL) return by_default(*info);
  if (plain && chosen.sa_handler == SIG_IGN) {
    // An access that faults cannot be ignored; a signal that was sent can.
    if (info->si_code > 0) by_default(*info);
    return;
  }
  if (chosen.sa_flags & SA_RESETHAND) {
    action.sa_flags &= ~SA_SIGINFO;
    action.sa_handler = SIG_DFL;
  }
  sigset_t mask = static_cast<const ucontext_t*>(context)->uc_sigmask;
  sigorset(&mask, &mask, &chosen.sa_mask);
  if (!(chosen.sa_flags & SA_NODEFER)) sigaddset(&mask, signal);
  pthread_sigmask(SIG_SETMASK, &mask, nullptr);
  if (plain) {
    chosen.sa_handler(signal);
  } else {
    chosen.sa_sigaction(signal, info, context);
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
  struct sigaction now{};
  if (sigaction(SIGSEGV, nullptr, &now) != 0) return false;
  the_filter.store(filter, std::memory_order_release);
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == on_fault) return true;
  const unsigned other = 1 - newest.load(std::memory_order_relaxed);
  programs[other] = now;
  newest.store(other, std::memory_order_release);
  struct sigaction ours{};
  ours.sa_sigaction = on_fault;
  // On the program's alternate stack if it has one: its handler may be there for overflows of the stack.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (now.sa_flags & SA_RESTART);
  sigfillset(&ours.sa_mask);
  return sigaction(SIGSEGV, &ours, nullptr) == 0;
}

}  // namespace lbhm::sampling
