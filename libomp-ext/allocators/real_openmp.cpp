#include "libomp-ext/allocators/real_openmp.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iterator>
#include <mutex>
#include <new>
#include <vector>

#include "lbhm/omp_traits.h"
#include "libomp-ext/allocators/allocator_table.h"
#include "runtime/interpose/real_function.h"
#include "runtime/own_memory/inside.h"
#include "runtime/own_memory/no_fork.h"

namespace lbhm::allocators {
namespace {

/// No caller: default allocators and memory of spaces of its own are libomp's affair, whoever asks.
template <class Function>
bool look_up(const char* name, Function& function) {
  function = reinterpret_cast<Function>(real::RuntimeFunction(name).find(nullptr));
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

constinit std::atomic<const RealOpenMP*> found{nullptr};
constinit std::atomic<unsigned long long> missing_since{0};  // times_loaded() when there was none

/// For processes without libomp, which have no teams either.
constinit thread_local Handle own_default = default_memory;

Defaults look_at_environment() {
  auto expected = Defaults::unknown;
  const auto said = std::getenv("OMP_ALLOCATOR") == nullptr ? Defaults::untouched : Defaults::set;
  return defaults.compare_exchange_strong(expected, said) ? said : expected;
}

bool is_handed_on(const omp_alloctrait_t& trait, HandOn what) {
  const auto key = lbhm_trait_key(&trait);
  const bool ours = key == omp_atk_pool_size || key == omp_atk_fallback || key == omp_atk_fb_data;
  return is_standard_key(key, knows_openmp6()) && (what == HandOn::whole || !ours);
}

}  // namespace

const RealOpenMP* real_openmp() {
  if (const auto* real = found.load(std::memory_order_acquire)) return real;
  const unsigned long long loaded = real::times_loaded();
  if (missing_since.load(std::memory_order_relaxed) == loaded) return nullptr;
  static constinit RealOpenMP functions{};
  const NoFork whole;
  const std::scoped_lock lock(look_up_mutex);
  if (const auto* real = found.load(std::memory_order_relaxed)) return real;
  if (!look_up_all(functions)) {
    missing_since.store(loaded, std::memory_order_relaxed);
    return nullptr;
  }
  found.store(&functions, std::memory_order_release);
  return &functions;
}

bool knows_openmp6() {
  enum class Answer : unsigned char { not_yet, no, yes };
  static constinit std::atomic<Answer> known{Answer::not_yet};
  auto now = known.load(std::memory_order_relaxed);
  if (now == Answer::not_yet && real_openmp() != nullptr) {
    now = real::RuntimeFunction("omp_get_submemspace").find(nullptr) ? Answer::yes : Answer::no;
    known.store(now, std::memory_order_relaxed);
  }
  return now == Answer::yes;
}

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

Handle make_runtime_allocator(Handle space, std::span<const omp_alloctrait_t> traits, HandOn what, int gtid) try {
  const auto* real = real_openmp();
  if (real == nullptr) return null_handle;
  if (gtid == this_thread) gtid = real->thread();
  const Inside here;
  std::vector<omp_alloctrait_t> list;
  if (what == HandOn::memory) list.push_back({omp_atk_fallback, omp_atv_null_fb});
  std::ranges::copy_if(traits, std::back_inserter(list), [=](const auto& trait) { return is_handed_on(trait, what); });
  return real->init_allocator(gtid, space, static_cast<int>(list.size()), list.data());
} catch (const std::bad_alloc&) { return null_handle; }

void destroy_runtime_allocator(Handle allocator, int gtid) {
  const auto* real = real_openmp();
  if (real == nullptr || allocator < predefined_limit) return;
  real->destroy_allocator(gtid == this_thread ? real->thread() : gtid, allocator);
}

void* runtime_allocate(Handle allocator, std::uint64_t alignment, std::uint64_t bytes) {
  const auto* real = real_openmp();
  return real == nullptr ? nullptr : real->aligned_alloc(real->thread(), alignment, bytes, allocator);
}

void runtime_release(void* address, Handle allocator) {
  const auto* real = real_openmp();
  if (real != nullptr) real->free(real->thread(), address, allocator);
}

}  // namespace lbhm::allocators
