#include "emulator/openmp/tasks/last_memory.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <new>

#include "emulator/openmp/tasks/lane_memory.h"

namespace lbhm::tasks {
namespace {

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

}  // namespace

void* take_last_memory(std::size_t bytes, std::size_t alignment) {
  used.store(true, std::memory_order_relaxed);
  if (void* memory = from_reserve(bytes, alignment)) return memory;
  throw std::bad_alloc();
}

bool give_back_last_memory(const void* memory) {
  const auto* place = static_cast<const std::byte*>(memory);
  return place >= reserve.data() && place < reserve.data() + reserve.size();
}

bool memory_is_short() { return used.load(std::memory_order_relaxed); }

}  // namespace lbhm::tasks
