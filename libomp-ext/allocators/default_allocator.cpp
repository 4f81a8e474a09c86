#include "libomp-ext/allocators/default_allocator.h"

#include <cstdlib>

#include "libomp-ext/allocators/real_openmp.h"

namespace lbhm::allocators {
namespace {

/// For processes without libomp, which have no teams either.
constinit thread_local Handle own_default = default_memory;

Defaults look_at_environment() {
  auto expected = Defaults::unknown;
  const auto found = std::getenv("OMP_ALLOCATOR") == nullptr ? Defaults::untouched : Defaults::set;
  return defaults.compare_exchange_strong(expected, found) ? found : expected;
}

}  // namespace

Handle look_up_default_allocator(int gtid) {
  auto state = defaults.load(std::memory_order_relaxed);
  if (state == Defaults::unknown) state = look_at_environment();
  if (state == Defaults::untouched) return default_memory;
  const auto* real = real_openmp();
  if (real == nullptr) return own_default;
  return real->get_default_allocator(gtid == this_thread ? real->thread() : gtid);
}

void set_default_allocator(Handle handle, int gtid) {
  defaults.store(Defaults::set, std::memory_order_relaxed);
  const auto* real = real_openmp();
  if (real == nullptr) {
    own_default = handle == null_handle ? default_memory : handle;
  } else {
    real->set_default_allocator(gtid == this_thread ? real->thread() : gtid, handle);
  }
}

}  // namespace lbhm::allocators
