#include "libomp-ext/virtual/tasks/lane_memory.h"

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <new>

#include "runtime/engine/engine.h"

namespace lbhm::tasks {
namespace {

// Where the system has no memory left, tasks that are under way can still be finished.

/// Takes no memory before it is used. Room for some 10,000 nodes.
alignas(64) constinit std::array<std::byte, std::size_t{4} << 20> reserve{};
constinit std::atomic<std::size_t> taken{0};
constinit std::atomic<bool> used{false};

void* from_reserve(std::size_t bytes, std::size_t alignment) {
  const std::size_t room = bytes + alignment;  // wherever the last block ended
  const std::size_t begin = taken.fetch_add(room);
  if (room < bytes || begin > reserve.size() || reserve.size() - begin < room) return nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(reserve.data() + begin);
  return reserve.data() + begin + ((address + alignment - 1) / alignment * alignment - address);
}

/// Throws std::bad_alloc.
void* take_last_memory(std::size_t bytes, std::size_t alignment) {
  used.store(true, std::memory_order_relaxed);
  if (void* memory = from_reserve(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

/// False if `memory` came from elsewhere. It is not used again: so short of memory, there will be no more tasks.
bool give_back_last_memory(const void* memory) {
  const auto* place = static_cast<const std::byte*>(memory);
  return place >= reserve.data() && place < reserve.data() + reserve.size();
}

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

bool memory_is_short() { return used.load(std::memory_order_relaxed); }

}  // namespace lbhm::tasks
