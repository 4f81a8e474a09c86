#include "runtime/own_memory/own_memory.h"

#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <exception>

#include "runtime/own_memory/inside.h"
#include "runtime/own_memory/size_class.h"

namespace lbhm::own_memory {
namespace {

/// Slabs and large blocks begin at a multiple of this, with a head; so the head of every block is found by its address.
constexpr std::size_t slab_bytes = 64 << 10;
/// So much is asked of the kernel at once.
constexpr std::size_t mapped_at_once = 1 << 20;

struct Head {
  std::size_t mapped;  ///< bytes of a large block with its head; 0: a slab
  std::size_t number;  ///< size class of a slab's blocks
};
constexpr std::size_t head_bytes = 64;

struct FreeBlock {
  FreeBlock* next;
};

constinit pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
// Under the lock.
constinit std::array<FreeBlock*, size_classes> free_blocks{};
constinit char* fresh_begin = nullptr;  // mapped, not yet a slab
constinit char* fresh_end = nullptr;

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

char* at_slab_border(char* address) {
  return address + (-reinterpret_cast<std::uintptr_t>(address) & (slab_bytes - 1));
}

/// Whole pages that begin at a multiple of slab_bytes; null: the kernel has none.
char* map(std::size_t bytes) {
  const std::size_t total = bytes + slab_bytes;
  void* const memory = mmap(nullptr, total, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(memory);
  char* const aligned = at_slab_border(begin);
  if (aligned > begin) munmap(begin, static_cast<std::size_t>(aligned - begin));
  if (char* const end = aligned + bytes; begin + total > end)
    munmap(end, static_cast<std::size_t>(begin + total - end));
  return aligned;
}

/// Cuts a new slab into blocks. Where there is no room for many slabs, one may still be found.
bool add_slab(std::size_t number) {
  if (fresh_begin == fresh_end) {
    std::size_t bytes = mapped_at_once;
    fresh_begin = map(bytes);
    if (!fresh_begin) fresh_begin = map(bytes = slab_bytes);
    fresh_end = fresh_begin ? fresh_begin + bytes : nullptr;
  }
  if (!fresh_begin) return false;
  char* const slab = fresh_begin;
  fresh_begin += slab_bytes;
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
  auto* const head = reinterpret_cast<Head*>(static_cast<char*>(block) - address % slab_bytes);
  if (head->mapped > 0) {
    munmap(head, head->mapped);
    return;
  }
  const Turn turn;
  auto* const free_block = static_cast<FreeBlock*>(block);
  free_block->next = free_blocks[head->number];
  free_blocks[head->number] = free_block;
}

void before_fork() noexcept { pthread_mutex_lock(&lock); }
void after_fork() noexcept { pthread_mutex_unlock(&lock); }

}  // namespace lbhm::own_memory
