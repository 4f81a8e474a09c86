#include "libomp-ext/ompt/outlined.h"

#include <utility>

#include "libomp-ext/real/real_function.h"

namespace {

using lbhm::real::OpenMPFunction;
using lbhm::real::RuntimeFunction;

thread_local const void* noted = nullptr;

}  // namespace

namespace lbhm::openmp {

const void* take_outlined() { return std::exchange(noted, nullptr); }

}  // namespace lbhm::openmp

#if defined(__x86_64__)

/// Notes the function and returns the runtime's __kmpc_fork_call.
extern "C" __attribute__((used)) void* lbhm_note_fork(const void* outlined, const void* caller) {
  static constinit RuntimeFunction real("__kmpc_fork_call");
  noted = outlined;
  return real.need(caller);
}

/// void __kmpc_fork_call(ident_t *, kmp_int32 argc, kmpc_micro outlined, ...): its arguments cannot be passed on in
/// C++, so this keeps them where they are, and jumps. libomp sees the caller's return address, as without us.
LBHM_EXPORT __attribute__((naked)) void __kmpc_fork_call() {
  __asm__(
      "push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n"
      "mov %rdx, %rdi\n"
      "mov 56(%rsp), %rsi\n"  // the return address, below seven registers
      "call lbhm_note_fork\n"
      "mov %rax, %r11\n"
      "pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"
      "jmp *%r11\n");
}

#endif  // other processors: regions are told apart by their return addresses

LBHM_EXPORT void GOMP_parallel(void (*outlined)(void*), void* data, unsigned threads, unsigned flags) {
  static constinit OpenMPFunction<void(void (*)(void*), void*, unsigned, unsigned)> real(__func__);
  noted = reinterpret_cast<const void*>(outlined);
  real(outlined, data, threads, flags);
}
