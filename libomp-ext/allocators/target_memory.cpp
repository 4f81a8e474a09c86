#include "libomp-ext/allocators/target_memory.h"

#include <array>
#include <cstring>

#include "libomp-ext/allocators/address_map.h"
#include "libomp-ext/allocators/real_openmp.h"

namespace lbhm::allocators {

Handle make_target_allocator(const AllocatorTraits& traits) {
  const auto* real = real_openmp();
  if (real == nullptr) return null_handle;
  std::array<omp_alloctrait_t, 3> kept{{{omp_atk_fallback, omp_atv_null_fb}}};
  int count = 1;
  if (traits.alignment != 0) kept[static_cast<std::size_t>(count++)] = {omp_atk_alignment, traits.alignment};
  if (traits.pinned) kept[static_cast<std::size_t>(count++)] = {omp_atk_pinned, omp_atv_true};
  return real->init_allocator(real->thread(), traits.space, count, kept.data());
}

void destroy_target_allocator(Handle target) {
  const auto* real = real_openmp();
  if (real != nullptr && !is_predefined(target)) real->destroy_allocator(real->thread(), target);
}

void* target_allocate(Handle target, const Request& request, Owner owner, std::uint64_t charge) {
  const auto* real = real_openmp();
  if (real == nullptr) return nullptr;
  void* address = real->aligned_alloc(real->thread(), request.alignment, request.bytes, target);
  if (address == nullptr) return nullptr;
  if (!remember(address, {Remembered::Kind::target, owner, request.bytes, charge, target})) {
    target_release(address, target);
    return nullptr;
  }
  if (request.zeroed) std::memset(address, 0, request.bytes);
  return address;
}

void target_release(void* address, Handle target) {
  const auto* real = real_openmp();
  if (real != nullptr) real->free(real->thread(), address, target);
}

}  // namespace lbhm::allocators
