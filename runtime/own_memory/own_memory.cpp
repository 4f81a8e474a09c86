#include "runtime/own_memory/own_memory.h"

#include <pthread.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>

#include "runtime/own_memory/inside.h"
#include "runtime/own_memory/own_addresses.h"
#include "runtime/own_memory/size_class.h"

namespace lbhm::own_memory {
namespace {

/// Slabs and large blocks begin at a multiple of this, with a head; so the head of every block is found by its address.
constexpr std::size_t slab_bytes = slot_bytes;

struct Head {
  std::size_t mapped;  ///< bytes of a large block with its head; 0: a slab
  std::size_t number;  ///< size class of a slab's blocks
};
constexpr std::size_t head_bytes = 64;

struct FreeBlock {
  FreeBlock* next;
};

constinit pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
constinit std::array<FreeBlock*, size_classes> free_blocks{};  // under the lock

class Turn {
 public:
  Turn() { pthread_mutex_lock(&lock); }
  ~Turn() { pthread_mutex_unlock(&lock); }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  Inside here_;
};

/// Untouched, it costs addresses alone. Blocks are cut off in order, and all come back when the last one is released.
constexpr std::size_t reserve_bytes = 8 << 20;
constexpr std::size_t kept_for_destructors = 2 << 20;
alignas(4096) constinit std::array<char, reserve_bytes> reserve{};
constinit std::size_t reserve_used = 0;    // under the lock
constinit std::size_t reserve_blocks = 0;  // under the lock

bool reserved(const void* block) { return block >= reserve.data() && block < reserve.data() + reserve.size(); }

/// Cuts a new slab into blocks.
bool add_slab(std::size_t number) {
  char* const slab = map(slab_bytes);
  if (!slab) return false;
  *reinterpret_cast<Head*>(slab) = {.mapped = 0, .number = number};
  const std::size_t size = size_of_class(number);
  // Blocks of 64, 128, ... bytes lie at multiples of their size.
  std::size_t first = std::max(head_bytes, std::has_single_bit(size) ? size : grain);
  for (; first + size <= slab_bytes; first += size) {
    auto* const block = reinterpret_cast<FreeBlock*>(slab + first);
    block->next = free_blocks[number];
    free_blocks[number] = block;
  }
  return true;
}

void* allocate_small(std::size_t number) {
  const Turn turn;
  if (!free_blocks[number] && !add_slab(number)) return nullptr;
  FreeBlock* const block = free_blocks[number];
  free_blocks[number] = block->next;
  return block;
}

void* allocate_large(std::size_t bytes, std::size_t alignment) {
  constexpr std::size_t page = 4096;
  const std::size_t in_front = std::max(head_bytes, alignment);
  if (bytes > SIZE_MAX / 2) return nullptr;
  const std::size_t mapped = (in_front + bytes + page - 1) / page * page;
  const Turn turn;
  char* const memory = map(mapped);
  if (!memory) return nullptr;
  *reinterpret_cast<Head*>(memory) = {.mapped = mapped, .number = 0};
  return memory + in_front;
}

}  // namespace

void* allocate(std::size_t bytes, std::size_t alignment) noexcept {
  constexpr std::size_t largest_alignment = 4096;
  if (alignment > largest_alignment) return nullptr;
  if (alignment > grain) bytes = std::bit_ceil(std::max(bytes, alignment));
  return bytes <= largest_small ? allocate_small(class_of(bytes)) : allocate_large(bytes, alignment);
}

void* allocate_reserved(std::size_t bytes, std::size_t alignment) noexcept {
  if (reserves == 0) return nullptr;
  reserve_drawn = true;
  // What work used up that never asked, destructors still have while its exception makes its way.
  const std::size_t most = reserve_bytes - (std::uncaught_exceptions() > 0 ? 0 : kept_for_destructors);
  const Turn turn;
  const std::size_t begin = (reserve_used + alignment - 1) / alignment * alignment;
  if (begin > most || bytes > most - begin) return nullptr;
  reserve_used = begin + bytes;
  ++reserve_blocks;
  return reserve.data() + begin;
}

void release(void* block) noexcept {
  if (!block) return;
  if (reserved(block)) {
    const Turn turn;
    if (--reserve_blocks == 0) reserve_used = 0;
    return;
  }
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  char* const slab = static_cast<char*>(block) - address % slab_bytes;
  const auto* const head = reinterpret_cast<const Head*>(slab);
  const Turn turn;
  if (head->mapped > 0) {
    unmap(slab, head->mapped);
    return;
  }
  auto* const free_block = static_cast<FreeBlock*>(block);
  free_block->next = free_blocks[head->number];
  free_blocks[head->number] = free_block;
}

void give_up_addresses() noexcept {
  const Turn turn;
  give_up_unused();
}

void before_fork() noexcept { pthread_mutex_lock(&lock); }
void after_fork() noexcept { pthread_mutex_unlock(&lock); }

}  // namespace lbhm::own_memory
