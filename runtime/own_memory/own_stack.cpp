#include "runtime/own_memory/own_stack.h"

#include <sys/mman.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>

extern "C" void* __libc_stack_end;  // of glibc's loader

namespace lbhm {
namespace {

/// Null: there is none.
OwnStack* take() {
  for (std::size_t i = 0; i < own_stacks.size(); ++i) {
    OwnStack& stack = own_stacks[i];
    if (stack.busy.load(std::memory_order_relaxed) || stack.busy.exchange(true, std::memory_order_acquire)) continue;
    if (stack.memory.load(std::memory_order_relaxed)) return &stack;
    void* const fresh = mmap(nullptr, OwnStack::bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (fresh == MAP_FAILED) {
      stack.busy.store(false, std::memory_order_release);
      return nullptr;
    }
    stack.memory.store(static_cast<char*>(fresh), std::memory_order_release);
    for (std::size_t most = own_stacks_used.load(); most <= i && !own_stacks_used.compare_exchange_weak(most, i + 1);) {
    }
    return &stack;
  }
  return nullptr;
}

bool is_first_threads(const void* frame) {
  constexpr std::uintptr_t usual = std::uintptr_t{8} << 20;
  return reinterpret_cast<std::uintptr_t>(__libc_stack_end) - reinterpret_cast<std::uintptr_t>(frame) < usual;
}

// Sanitizers know the stacks of threads alone.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !__has_feature(address_sanitizer) && \
    !__has_feature(thread_sanitizer)
constexpr bool possible = true;

/// Whoever walks the stack from below finds back by the frame pointer.
[[gnu::naked, gnu::noinline]] void call_on(const void** /*top*/, void (* /*work*/)(void*), void* /*data*/) {
  asm(R"(
    pushq %rbp
    .cfi_adjust_cfa_offset 8
    .cfi_offset %rbp, -16
    movq %rsp, %rbp
    .cfi_def_cfa_register %rbp
    movq %rbp, (%rdi)
    movq %rdi, %rsp
    movq %rdx, %rdi
    callq *%rsi
    movq %rbp, %rsp
    popq %rbp
    .cfi_def_cfa %rsp, 8
    retq
  )");
}
#else
constexpr bool possible = false;
void call_on(const void** /*top*/, void (*work)(void*), void* data) { work(data); }
#endif

}  // namespace

void on_own_stack(void (*work)(void*), void* data) {
  const void* const frame = __builtin_frame_address(0);
  if (!possible || is_first_threads(frame) || left_from(frame) != frame) return work(data);
  const int before = errno;
  OwnStack* const stack = take();
  errno = before;
  if (!stack) return work(data);
  call_on(OwnStack::top(stack->memory.load(std::memory_order_relaxed)), work, data);
  stack->busy.store(false, std::memory_order_release);
}

}  // namespace lbhm
