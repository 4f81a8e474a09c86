#include "libomp-ext/ompt/outlined.h"

#include <dlfcn.h>

#include <utility>

namespace {

thread_local const void* noted = nullptr;

}  // namespace

namespace lbhm::openmp {

const void* take_outlined() { return std::exchange(noted, nullptr); }

}  // namespace lbhm::openmp

#define LBHM_EXPORT extern "C" __attribute__((visibility("default")))

#if defined(__x86_64__)

/// Notes the function and returns libomp's __kmpc_fork_call.
extern "C" __attribute__((used)) void* lbhm_note_fork(const void* outlined) {
  static void* const next = dlsym(RTLD_NEXT, "__kmpc_fork_call");
  noted = outlined;
  return next;
}

/// void __kmpc_fork_call(ident_t *, kmp_int32 argc, kmpc_micro outlined, ...): its arguments cannot be passed on in
/// C++, so this keeps them where they are, and jumps. libomp sees the caller's return address, as without us.
LBHM_EXPORT __attribute__((naked)) void __kmpc_fork_call() {
  __asm__(
      "push %rdi\n push %rsi\n push %rdx\n push %rcx\n push %r8\n push %r9\n push %rax\n"
      "mov %rdx, %rdi\n"
      "call lbhm_note_fork\n"
      "mov %rax, %r11\n"
      "pop %rax\n pop %r9\n pop %r8\n pop %rcx\n pop %rdx\n pop %rsi\n pop %rdi\n"
      "jmp *%r11\n");
}

#endif  // other processors: regions are told apart by their return addresses

LBHM_EXPORT void GOMP_parallel(void (*outlined)(void*), void* data, unsigned threads, unsigned flags) {
  using Function = void(void (*)(void*), void*, unsigned, unsigned);
  static const auto next = reinterpret_cast<Function*>(dlsym(RTLD_NEXT, "GOMP_parallel"));
  noted = reinterpret_cast<const void*>(outlined);
  next(outlined, data, threads, flags);
}
