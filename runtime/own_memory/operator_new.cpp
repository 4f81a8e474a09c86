// operator new and delete of liblbhm.so. Hidden, as all symbols of the library that are not exported by name: the
// program keeps its own. malloc_sweep of the tests lets the n-th call of own_memory::allocate fail.
#include <new>

#include "runtime/own_memory/own_memory.h"

namespace {

using lbhm::own_memory::release;

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  void* const block = lbhm::own_memory::allocate(bytes, alignment);
  return block ? block : lbhm::own_memory::allocate_reserved(bytes, alignment);
}

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const block = allocate(bytes, alignment)) return block;
  throw std::bad_alloc();
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
std::size_t number(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

void* operator new(std::size_t n) { return allocate_or_throw(n, usual); }
void* operator new[](std::size_t n) { return allocate_or_throw(n, usual); }
void* operator new(std::size_t n, std::align_val_t a) { return allocate_or_throw(n, number(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return allocate_or_throw(n, number(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, usual); }
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept { return allocate(n, usual); }
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept { return allocate(n, number(a)); }
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return allocate(n, number(a));
}

void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete[](void* p, const std::nothrow_t&) noexcept { release(p); }
