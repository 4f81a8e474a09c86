// Static variables of functions, which the first caller makes: who that is follows virtual time.
//
// Compiled code reads the first byte of such a variable's guard, and calls the functions below while it is 0 (Itanium
// C++ ABI, 3.3.3). Which lane finds it 0 would hang on real time. So in virtual time that byte becomes 1 only while no
// lane runs; until then lanes that come wait here for their turn. Who makes the variable, and whether it is there,
// stands in a guard of our own beside it.
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"
#include "runtime/own_memory/inside.h"

extern const char __ehdr_start __attribute__((visibility("hidden")));  // NOLINT(bugprone-reserved-identifier)
extern const char _end __attribute__((visibility("hidden")));          // NOLINT(bugprone-reserved-identifier)

namespace {

using namespace lbhm;

/// As libstdc++ has it: threads that come meanwhile sleep on the whole word.
class VariableGuard {
 public:
  /// True: the caller makes the variable. False: it is there.
  bool acquire() {
    const Inside here;
    for (;;) {
      std::uint32_t found = 0;
      if (word_.compare_exchange_strong(found, pending)) return true;
      if (found == made) return false;
      if (found == pending && !word_.compare_exchange_strong(found, pending | awaited)) continue;
      syscall(SYS_futex, &word_, FUTEX_WAIT_PRIVATE, pending | awaited, nullptr, nullptr, 0);
    }
  }
  void release() { leave(made); }
  void abort() { leave(0); }
  bool is_made() const { return word_.load() == made; }
  /// What compiled code reads.
  std::atomic<std::uint8_t>& first_byte() { return reinterpret_cast<std::atomic<std::uint8_t>&>(word_); }

 private:
  static constexpr std::uint32_t made = 1, pending = 1u << 8, awaited = 1u << 16;

  void leave(std::uint32_t state) {
    const Inside here;
    if ((word_.exchange(state) & awaited) != 0)
      syscall(SYS_futex, &word_, FUTEX_WAKE_PRIVATE, INT32_MAX, nullptr, nullptr, 0);
  }

  std::atomic<std::uint32_t> word_{0};
};
static_assert(sizeof(VariableGuard) <= sizeof(std::uint64_t));

/// Neither lock nor memory, for a child made by fork(2) asks too. Guards beyond these are the C++ library's.
struct Entry {
  std::atomic<VariableGuard*> of{nullptr};
  VariableGuard own;
};
constinit std::array<Entry, 4096> entries{};

/// Null: there is none, or, with `make`, no room.
VariableGuard* own_guard(VariableGuard* guard, bool make) {
  const std::size_t start = reinterpret_cast<std::uintptr_t>(guard) / sizeof(std::uint64_t);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    Entry& entry = entries[(start + i) % entries.size()];
    VariableGuard* of = entry.of.load();
    if (of == nullptr && (!make || entry.of.compare_exchange_strong(of, guard))) return make ? &entry.own : nullptr;
    if (of == guard) return &entry.own;
  }
  return nullptr;
}

/// LB-HM's own variables; nothing here may need one of those.
bool is_ours(const void* caller) { return caller >= &__ehdr_start && caller < &_end; }

bool acquire_in_order(VariableGuard& guard, VariableGuard& own) {
  engine::wait_begin(Wait::mutex, &guard);
  engine::wait_end(Wait::mutex, &guard);
  const bool first = own.acquire();
  if (!first) engine::mutex_released(&guard);
  return first;
}

/// Virtual time is over, or this is a child, and the byte has not been set.
bool made_before(VariableGuard& guard) {
  const VariableGuard* own = own_guard(&guard, false);
  if (own == nullptr || !own->is_made()) return false;
  guard.first_byte().store(1);
  return true;
}

void release_in_order(VariableGuard& guard, VariableGuard& own) {
  own.release();
  if (engine::lane_name() == nullptr)
    guard.first_byte().store(1);
  else
    engine::set_between_quanta(guard.first_byte());
  engine::mutex_released(&guard);
}

}  // namespace

// NOLINTBEGIN(bugprone-reserved-identifier): names of the ABI.
LBHM_EXPORT int __cxa_guard_acquire(VariableGuard* guard) {
  const void* caller = __builtin_return_address(0);
  VariableGuard* own = !is_ours(caller) && clock::applies_to(caller) ? own_guard(guard, true) : nullptr;
  if (own != nullptr) return acquire_in_order(*guard, *own) ? 1 : 0;
  return !made_before(*guard) && guard->acquire() ? 1 : 0;
}

LBHM_EXPORT void __cxa_guard_release(VariableGuard* guard) {
  if (VariableGuard* own = own_guard(guard, false)) return release_in_order(*guard, *own);
  guard->release();
}

LBHM_EXPORT void __cxa_guard_abort(VariableGuard* guard) {
  VariableGuard* own = own_guard(guard, false);
  if (own == nullptr) return guard->abort();
  own->abort();
  engine::mutex_released(guard);
}
// NOLINTEND(bugprone-reserved-identifier)
