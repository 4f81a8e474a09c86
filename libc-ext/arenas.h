// Arenas: memory for the small blocks of one site that one thread asks for, in whole pages that are objects of the
// site.
//
// An arena grows by sections of 1 MiB, each an object. A section is eight slots, each for blocks of one size, with a
// map of bits that says which are free. The thread that owns the arena takes and gives back without a lock; blocks that
// others give back wait in a list of the arena. The lowest free block is taken first. So where a block lies does not
// hang on the order in which others give theirs back: in virtual time, where their list is looked at only while no lane
// runs, addresses are the same in every run.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace lbhm::heap {

struct Arena;

struct alignas(64) Slot {
  static constexpr std::size_t bytes = std::size_t{128} << 10, words = bytes / 16 / 64;

  Arena* arena;
  char* blocks;
  Slot *next, *previous;     ///< in Arena::with_room
  std::uint32_t size;        ///< of a block; 0: the slot has no blocks
  std::uint32_t reciprocal;  ///< 2^32 / size, rounded up
  std::uint32_t count, used;
  std::uint32_t word;  ///< no word before it has a free block
  std::uint64_t free[words];
};

struct Section {
  static constexpr std::size_t bytes = std::size_t{1} << 20, slots_in_it = bytes / Slot::bytes, header = 16 << 10;

  Slot slots[slots_in_it];
  Section *next, *previous;  ///< in Arena::with_slots
  unsigned unused;           ///< slots without blocks
};
/// Sections begin at different lines of a page: of many arenas not all would fit into a cache else.
inline Section& section_at(std::uintptr_t address) {
  const std::uintptr_t first = address & ~(Section::bytes - 1);
  return *reinterpret_cast<Section*>(first + (first / Section::bytes * 11 % 64) * 64);
}
static_assert(sizeof(Section) + 4096 <= Section::header);

/// Sizes of blocks: steps of 16 bytes up to 128, then four between powers of two.
inline constexpr std::size_t largest_small = std::size_t{64} << 10;
inline constexpr unsigned size_classes = 8 + 9 * 4;
inline unsigned class_of(std::size_t bytes) {
  if (bytes <= 128) return bytes == 0 ? 0 : static_cast<unsigned>((bytes - 1) / 16);
  const auto power = static_cast<unsigned>(std::bit_width(bytes - 1)) - 1;
  return 8 + (power - 7) * 4 + static_cast<unsigned>((bytes - 1) >> (power - 2)) - 4;
}
constexpr std::uint32_t size_of_class(unsigned number) {
  return number < 8 ? (number + 1) * 16 : (5 + (number - 8) % 4) << ((number - 8) / 4 + 5);
}
static_assert(size_of_class(8) == 160 && size_of_class(size_classes - 1) == largest_small);

/// A block that waits for its arena's owner.
struct GivenBack {
  GivenBack* next;
};

struct alignas(64) Arena {
  std::atomic<const void*> owner;  ///< null: that thread has ended
  std::uint64_t site;
  Arena* next;  ///< of the same owner, or of those without one
  // In the order of addresses.
  Slot* with_room[size_classes];
  Section* with_slots;
  unsigned empty_sections;
  std::atomic<GivenBack*> given_back;  ///< by other threads
  Arena* next_noted;                   ///< of those that lanes_rest() looks at
};

// Which addresses are of arenas: a bit for each MiB of the address space, in leaves of 16 GiB.
inline constexpr unsigned section_bits = 20, leaf_bits = 34;
inline constexpr std::size_t sections_in_leaf = std::size_t{1} << (leaf_bits - section_bits);
struct Leaf {
  std::atomic<std::uint64_t> words[sections_in_leaf / 64];
};
extern constinit std::atomic<Leaf*> leaves[std::size_t{1} << (47 - leaf_bits)];

inline bool is_of_arena(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (address >> 47) [[unlikely]]
    return false;
  const Leaf* const leaf = leaves[address >> leaf_bits].load(std::memory_order_acquire);
  if (leaf == nullptr) return false;
  const std::size_t bit = (address >> section_bits) % sections_in_leaf;
  return leaf->words[bit / 64].load(std::memory_order_relaxed) >> bit % 64 & 1;
}

inline Slot& slot_of(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return section_at(address).slots[address % Section::bytes / Slot::bytes];
}

/// Fixed before the first arena: in virtual time lanes_rest() alone takes over what other threads give back.
extern constinit bool in_turns;
/// No lane runs now.
void lanes_rest();

/// An arena that an ended thread had for this site, or a new one. Null: there are too many.
Arena* arena_for(std::uint64_t site, const void* owner);
/// Their owner ends.
void leave_arenas(Arena* first);

/// From a thread that does not own the arena.
void give_back_remote(Arena& arena, void* block);

// The rest is for the owner alone.

/// With a free block. Null: LB-HM has no memory for it.
Slot* another_slot(Arena& arena, unsigned size_class);
void is_full(Slot& slot);
void is_full_no_more(Slot& slot);
/// All its blocks are free, and others of their size have room.
void end_slot(Slot& slot);
/// The block is free already: the process's malloc says what it says of such.
void given_back_twice(void* block);

/// Null: LB-HM has no memory for it.
inline void* take_block(Arena& arena, unsigned size_class) {
  Slot* slot = arena.with_room[size_class];
  if (slot == nullptr) [[unlikely]] {
    slot = another_slot(arena, size_class);
    if (slot == nullptr) return nullptr;
  }
  std::uint32_t word = slot->word;
  while (slot->free[word] == 0) ++word;
  slot->word = word;
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(slot->free[word]));
  slot->free[word] &= slot->free[word] - 1;
  if (++slot->used == slot->count) [[unlikely]]
    is_full(*slot);
  return slot->blocks + std::size_t{word * 64 + bit} * slot->size;
}

/// False: it is free already.
inline bool set_free(Slot& slot, const void* block) {
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(block) - slot.blocks);
  const auto index = static_cast<std::uint32_t>(offset * slot.reciprocal >> 32);  // exact where a block begins
  const std::uint64_t bit = std::uint64_t{1} << index % 64;
  if (slot.free[index / 64] & bit) [[unlikely]]
    return false;
  slot.free[index / 64] |= bit;
  if (index / 64 < slot.word) slot.word = index / 64;
  if (slot.used-- == slot.count) [[unlikely]]
    is_full_no_more(slot);
  return true;
}

inline void give_back(Slot& slot, void* block) {
  if (!set_free(slot, block)) [[unlikely]]
    return given_back_twice(block);
  if (slot.used == 0 && (slot.next || slot.previous)) [[unlikely]]
    end_slot(slot);
}

}  // namespace lbhm::heap
