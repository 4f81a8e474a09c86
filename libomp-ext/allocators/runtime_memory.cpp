#include "libomp-ext/allocators/real_openmp.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <vector>

#include "lbhm/omp_traits.h"
#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/traits.h"
#include "runtime/own_memory/inside.h"

namespace lbhm::allocators {
namespace {

bool is_handed_on(const omp_alloctrait_t& trait, HandOn what) {
  const auto key = lbhm_trait_key(&trait);
  const bool ours = key == omp_atk_pool_size || key == omp_atk_fallback || key == omp_atk_fb_data;
  return is_standard_key(key, knows_openmp6()) && (what == HandOn::whole || !ours);
}

}  // namespace

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

void* runtime_allocate(Handle allocator, const Request& request, Owner owner, std::uint64_t charge) {
  const auto* real = real_openmp();
  if (real == nullptr) return nullptr;
  void* address = real->aligned_alloc(real->thread(), request.alignment, request.bytes, allocator);
  if (address == nullptr) return nullptr;
  if (!remember(address, {Remembered::Kind::runtime, owner, request.bytes, charge, allocator})) {
    runtime_release(address, allocator);
    return nullptr;
  }
  if (request.zeroed) std::memset(address, 0, request.bytes);
  return address;
}

void runtime_release(void* address, Handle allocator) {
  const auto* real = real_openmp();
  if (real != nullptr) real->free(real->thread(), address, allocator);
}

}  // namespace lbhm::allocators
