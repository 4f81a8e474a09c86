#include "runtime/own_memory/own_addresses.h"

#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <bitset>
#include <cstdint>

namespace lbhm::own_memory {
namespace {

/// Addresses alone: pages cost memory when they are touched. What does not fit lies elsewhere.
constexpr std::size_t most_slots = (std::size_t{1} << 30) / slot_bytes;
/// Where a process may have a certain number of addresses, ours are at most this part.
constexpr std::size_t part_of_limit = 64;
/// So much is made readable and writable at once.
constexpr std::size_t opened_at_once = (1 << 20) / slot_bytes;
/// So much of what is free keeps its pages: policies that act at intervals take and give back the same blocks each
/// time.
constexpr std::size_t most_kept = (4 << 20) / slot_bytes;

// Under the caller's lock. Slots are taken at the lowest address that has room; those below `opened` may be touched.
constinit char* begin = nullptr;
constinit std::size_t slots = 0;
constinit std::size_t opened = 0;
constinit std::size_t first_free = 0;  ///< none below is free
constinit std::bitset<most_slots> taken{};
constinit std::bitset<most_slots> kept{};  ///< free, with pages of memory
constinit bool asked = false;

std::size_t slots_of(std::size_t bytes) { return (bytes + slot_bytes - 1) / slot_bytes; }

/// Whole pages of this protection that begin at a multiple of slot_bytes.
char* map_anywhere(std::size_t bytes, int protection) {
  const std::size_t total = bytes + slot_bytes;
  void* const memory = mmap(nullptr, total, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  auto* const mapped = static_cast<char*>(memory);
  char* const aligned = mapped + (-reinterpret_cast<std::uintptr_t>(mapped) & (slot_bytes - 1));
  if (aligned > mapped) munmap(mapped, static_cast<std::size_t>(aligned - mapped));
  if (char* const end = aligned + bytes; mapped + total > end)
    munmap(end, static_cast<std::size_t>(mapped + total - end));
  return aligned;
}

void take_addresses() {
  asked = true;
  slots = most_slots;
  if (rlimit limit{}; getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    slots = std::min<std::size_t>(slots, limit.rlim_cur / part_of_limit / slot_bytes);
  if (slots > 0) begin = map_anywhere(slots * slot_bytes, PROT_NONE);
  if (!begin) slots = 0;
}

/// The first of `count` slots beside each other that are free; `slots`: there are none.
std::size_t free_slots(std::size_t count) {
  for (std::size_t first = first_free; first + count <= slots;) {
    std::size_t end = first;
    while (end < first + count && !taken[end]) ++end;
    if (end == first + count) return first;
    first = end + 1;
  }
  return slots;
}

/// The slots below `end` may be touched; false: the kernel has no memory.
bool open(std::size_t end) {
  if (end <= opened) return true;
  const std::size_t wanted = std::min(slots, (end + opened_at_once - 1) / opened_at_once * opened_at_once);
  char* const from = begin + opened * slot_bytes;
  for (const std::size_t to : {wanted, end}) {  // where there is no room for many, one may still be found
    if (mprotect(from, (to - opened) * slot_bytes, PROT_READ | PROT_WRITE) != 0) continue;
    opened = to;
    return true;
  }
  return false;
}

void mark(std::bitset<most_slots>& of, std::size_t first, std::size_t count, bool value) {
  for (std::size_t slot = first; slot < first + count; ++slot) of[slot] = value;
}

/// The lowest ones are kept, as the next blocks lie there.
void keep(std::size_t first, std::size_t count) {
  mark(kept, first, count, true);
  for (std::size_t slot = opened; kept.count() > most_kept;) {
    if (!kept[--slot]) continue;
    madvise(begin + slot * slot_bytes, slot_bytes, MADV_DONTNEED);
    kept[slot] = false;
  }
}

}  // namespace

char* map(std::size_t bytes) noexcept {
  if (!asked) take_addresses();
  const std::size_t count = slots_of(bytes), first = free_slots(count);
  if (first == slots) return map_anywhere(bytes, PROT_READ | PROT_WRITE);
  if (!open(first + count)) return nullptr;
  mark(taken, first, count, true);
  mark(kept, first, count, false);
  while (first_free < slots && taken[first_free]) ++first_free;
  return begin + first * slot_bytes;
}

void unmap(char* memory, std::size_t bytes) noexcept {
  if (!is_our_address(memory)) {
    munmap(memory, bytes);
    return;
  }
  const std::size_t first = static_cast<std::size_t>(memory - begin) / slot_bytes, count = slots_of(bytes);
  if (count <= most_kept)
    keep(first, count);
  else
    madvise(memory, bytes, MADV_DONTNEED);
  mark(taken, first, count, false);
  first_free = std::min(first_free, first);
}

void give_up_unused() noexcept {
  if (opened < slots) munmap(begin + opened * slot_bytes, (slots - opened) * slot_bytes);
  slots = opened;
}

bool is_our_address(const void* memory) noexcept { return memory >= begin && memory < begin + slots * slot_bytes; }

}  // namespace lbhm::own_memory
