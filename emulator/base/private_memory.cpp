#include "emulator/base/private_memory.h"

#include <sys/mman.h>

#include <array>
#include <memory>
#include <mutex>
#include <new>

#include "emulator/base/process.h"

namespace lbhm::emulator {
namespace {

/// In a child made by fork(2) another thread may hold the lock for good, and the parent's tables stay as they are.
void refuse_children() {
  if (in_child()) throw std::bad_alloc();
}

/// libstdc++'s pools (GCC 12) lose themselves if the small table of a chunk finds no memory where the chunk found some.
/// So what they ask for in the midst of a call that finds no memory comes from here; then nobody asks them any more.
class Mappings final : public std::pmr::memory_resource {
 public:
  bool failed() const { return failed_; }

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    try {
      return map_zeroed(bytes);
    } catch (const std::bad_alloc&) { failed_ = true; }
    void* place = reserve_.data() + taken_;
    std::size_t room = reserve_.size() - taken_;
    if (std::align(alignment, bytes, place, room) == nullptr) throw std::bad_alloc();
    taken_ = reserve_.size() - room + bytes;
    return place;
  }
  void do_deallocate(void* p, std::size_t bytes, std::size_t) override {
    const auto* place = static_cast<const std::byte*>(p);
    if (place < reserve_.data() || place >= reserve_.data() + reserve_.size()) emulator::unmap(p, bytes);
  }
  bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  bool failed_ = false;
  std::size_t taken_ = 0;
  alignas(64) std::array<std::byte, std::size_t{64} << 10> reserve_;  // not touched before it is used
};

class LockedPools final : public std::pmr::memory_resource {
  void* do_allocate(std::size_t bytes, std::size_t alignment) override {
    refuse_children();
    const std::lock_guard guard(lock_);
    if (mappings_.failed()) throw std::bad_alloc();
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
  void* p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
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
