#include "emulator/private_memory.h"

#include <sys/mman.h>

#include <mutex>
#include <new>

#include "emulator/process.h"

namespace lbhm::emulator {
namespace {

/// In a child made by fork(2) another thread may hold the lock for good, and the parent's tables stay as they are.
void refuse_children() {
  if (in_child()) throw std::bad_alloc();
}

class Mappings final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t) override { return map_zeroed(bytes); }
  void do_deallocate(void* p, std::size_t bytes, std::size_t) override { unmap(p, bytes); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

class LockedPools final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    refuse_children();
    const std::lock_guard guard(lock_);
    return pools_.allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    if (in_child()) return;
    const std::lock_guard guard(lock_);
    pools_.deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::mutex lock_;
  Mappings mappings_;
  std::pmr::unsynchronized_pool_resource pools_{&mappings_};
};

}  // namespace

void* map_zeroed(std::size_t bytes) {
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (p == MAP_FAILED) throw std::bad_alloc();
  return p;
}

void unmap(void* memory, std::size_t bytes) { munmap(memory, bytes); }

std::pmr::memory_resource& private_memory() {
  alignas(LockedPools) static std::byte storage[sizeof(LockedPools)];
  static LockedPools* pools = new (storage) LockedPools;  // no destructor: threads may outlive static objects
  return *pools;
}

}  // namespace lbhm::emulator
