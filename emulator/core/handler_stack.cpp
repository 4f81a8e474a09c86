#include "emulator/core/handler_stack.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>

namespace lbhm::emulator {
namespace {

constexpr std::size_t bytes = std::size_t{64}
                              << 10;  // handlers of the program that ask for such a stack come here, too

// The system calls themselves: what stands in front of libc's functions is not for this.
bool exchange(const stack_t* fresh, stack_t* before) { return syscall(SYS_sigaltstack, fresh, before) == 0; }

}  // namespace

void HandlerStack::make() {
  stack_t before{};
  if (memory_ || !exchange(nullptr, &before) || !(before.ss_flags & SS_DISABLE)) return;
  void* const fresh = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (fresh == MAP_FAILED) return;
  const stack_t ours{.ss_sp = fresh, .ss_flags = 0, .ss_size = bytes};
  if (exchange(&ours, nullptr))
    memory_ = fresh;
  else
    munmap(fresh, bytes);
}

HandlerStack::~HandlerStack() {
  stack_t now{};
  if (!memory_ || !exchange(nullptr, &now) || now.ss_sp != memory_) return;
  const stack_t none{.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  if (exchange(&none, nullptr)) munmap(memory_, bytes);
}

}  // namespace lbhm::emulator
