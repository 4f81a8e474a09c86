#include "emulator/private_memory.h"

#include <sys/mman.h>

#include <mutex>
#include <new>

namespace lbhm::emulator {
namespace {

class Mappings final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t) override {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED) throw std::bad_alloc();
    return p;
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t) override { munmap(p, bytes); }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

class LockedPools final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard guard(lock_);
    return pools_.allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    const std::lock_guard guard(lock_);
    pools_.deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::mutex lock_;
  Mappings mappings_;
  std::pmr::unsynchronized_pool_resource pools_{&mappings_};
};

}  // namespace

std::pmr::memory_resource& private_memory() {
  alignas(LockedPools) static std::byte storage[sizeof(LockedPools)];
  static LockedPools* pools = new (storage) LockedPools;  // no destructor: threads may outlive static objects
  return *pools;
}

}  // namespace lbhm::emulator
