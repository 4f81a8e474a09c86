#include "libomp-ext/tasks/lane_memory.h"

#include <sys/mman.h>

#include <map>
#include <mutex>
#include <new>

#include "libomp-ext/tasks/guard.h"

namespace lbhm::tasks {
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

/// Objects that threads may still use when static objects are destroyed.
template <class T>
T& immortal() {
  alignas(T) static std::byte storage[sizeof(T)];
  static T* object = new (storage) T;
  return *object;
}

struct Registry {
  std::mutex lock;
  std::pmr::map<std::uint64_t, LaneMemory> lanes{&private_memory()};
};

}  // namespace

std::pmr::memory_resource& private_memory() {
  struct Pools {
    Mappings mappings;
    std::pmr::synchronized_pool_resource pools{&mappings};
  };
  return immortal<Pools>().pools;
}

void LaneMemory::reclaim() {
  for (const auto& [block, bytes] : returned_) pool_.deallocate(block, rounded(bytes), alignment);
  returned_.clear();
}

LaneMemory& LaneMemory::of(std::uint64_t lane) {
  auto& registry = immortal<Registry>();
  const Guard guard(registry.lock);
  return registry.lanes[lane];
}

}  // namespace lbhm::tasks
