#include "emulator/openmp/tasks/lane_memory.h"

#include <sys/mman.h>

#include <map>
#include <mutex>
#include <new>

#include "emulator/openmp/tasks/guard.h"
#include "emulator/openmp/tasks/last_memory.h"
#include "runtime/engine/engine.h"

namespace lbhm::tasks {
namespace {

class Mappings final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? take_last_memory(bytes, alignment) : p;
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t) override {
    if (!give_back_last_memory(p)) munmap(p, bytes);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }
};

/// std::pmr's own synchronised pools would take a lock at the end of every thread, in children made by fork(2) too.
class LockedPools final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    if (!engine::keeps_virtual_time()) throw std::bad_alloc();
    const Guard guard(lock_);
    return pools_.allocate(bytes, alignment);
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t alignment) override {
    if (!engine::keeps_virtual_time()) return;
    const Guard guard(lock_);
    pools_.deallocate(p, bytes, alignment);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::mutex lock_;
  Mappings mappings_;
  std::pmr::unsynchronized_pool_resource pools_{&mappings_};
};

/// Objects that threads may still use when static objects are destroyed.
template <class T>
T& immortal() {
  alignas(T) static std::byte storage[sizeof(T)];
  static T* object = new (storage) T;
  return *object;
}

struct Registry {
  using Name = std::pair<std::uint64_t, std::uint64_t>;  // root, lane
  std::mutex lock;
  std::pmr::map<Name, LaneMemory> lanes{&private_memory()};
};

}  // namespace

std::pmr::memory_resource& private_memory() { return immortal<LockedPools>(); }

void LaneMemory::give_back(void* block, std::size_t bytes) noexcept {
  try {
    returned_.emplace_back(block, bytes);
  } catch (const std::bad_alloc&) {}  // NOLINT(bugprone-empty-catch): the block stays where it is
}

void LaneMemory::reclaim() {
  for (const auto& [block, bytes] : returned_) pool_.deallocate(block, rounded(bytes), alignment);
  returned_.clear();
}

LaneMemory& LaneMemory::of(std::uint64_t root, std::uint64_t lane) {
  auto& registry = immortal<Registry>();
  const Guard guard(registry.lock);
  return registry.lanes[{root, lane}];
}

void LaneMemory::forget(std::uint64_t root) {
  auto& lanes = immortal<Registry>().lanes;
  const Guard guard(immortal<Registry>().lock);
  lanes.erase(lanes.lower_bound({root, 0}), lanes.lower_bound({root + 1, 0}));
}

}  // namespace lbhm::tasks
