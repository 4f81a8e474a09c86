// operator new and delete of liblbhm.so. Hidden, as all symbols of the library that are not exported by name: the
// program keeps its own. `refuse_memory` is for the tests that let the n-th allocation fail.
#include <new>

#include "lbhm/own_memory.h"

namespace {

void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  if (void* const block = lbhm::own_memory::allocate(bytes, alignment)) return block;
  throw std::bad_alloc();
}

constexpr std::size_t usual = __STDCPP_DEFAULT_NEW_ALIGNMENT__;
std::size_t number(std::align_val_t alignment) { return static_cast<std::size_t>(alignment); }

}  // namespace

using lbhm::own_memory::allocate;
using lbhm::own_memory::release;

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
