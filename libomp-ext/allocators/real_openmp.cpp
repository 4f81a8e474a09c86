#include "libomp-ext/allocators/real_openmp.h"

#include <dlfcn.h>

#include <atomic>
#include <mutex>

namespace lbhm::allocators {
namespace {

/// RTLD_NEXT: the definition after ours in the order of the libraries.
template <class Function>
bool look_up(const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return function != nullptr;
}

bool look_up_all(RealOpenMP& real) {
  return look_up("__kmpc_global_thread_num", real.global_thread_num) &&
         look_up("__kmpc_get_default_allocator", real.get_default_allocator) &&
         look_up("__kmpc_set_default_allocator", real.set_default_allocator) &&
         look_up("__kmpc_init_allocator", real.init_allocator) &&
         look_up("__kmpc_destroy_allocator", real.destroy_allocator) &&
         look_up("__kmpc_aligned_alloc", real.aligned_alloc) && look_up("__kmpc_free", real.free);
}

constinit std::mutex look_up_mutex;
constinit std::atomic<const RealOpenMP*> found{nullptr};

}  // namespace

const RealOpenMP* real_openmp() {
  if (const auto* real = found.load(std::memory_order_acquire)) return real;
  static constinit RealOpenMP functions{};
  const std::scoped_lock lock(look_up_mutex);
  if (const auto* real = found.load(std::memory_order_relaxed)) return real;
  if (!look_up_all(functions)) return nullptr;
  found.store(&functions, std::memory_order_release);
  return &functions;
}

}  // namespace lbhm::allocators
