// Arenas: memory for the small blocks of one site that one thread asks for, in whole pages that are objects of the
// site.
//
// An arena grows by sections of 1 MiB, each an object. A section is eight slots, each for blocks of one size, with a
// map of bits that says which are free. What is known of slots lies elsewhere, a line each, close together: of a
// thousand arenas whose blocks come and go, each with a page of its own for that, no cache of translations would hold
// them. The thread that owns the arena takes and gives back without a lock; blocks that others give back wait in a list
// of the arena. The lowest free block is taken first. So where a block lies does not hang on the order in which others
// give theirs back: in virtual time, where their list is looked at only while no lane runs, addresses are the same in
// every run.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "libc-ext/site_counts.h"

namespace lbhm::heap {

struct alignas(64) Slot {
  static constexpr std::size_t bytes = std::size_t{128} << 10, words = bytes / 16 / 64;

  std::atomic<const void*> owner;  ///< of its arena
  char* blocks;
  Slot *next, *previous;     ///< in Arena::with_room
  std::uint32_t size;        ///< of a block; 0: the slot has no blocks
  std::uint32_t reciprocal;  ///< 2^32 / size, rounded up
  std::uint32_t count, used;
  std::uint32_t number;  ///< in its section
  std::uint32_t word;    ///< no word before it has a free block
  std::uint64_t free;    ///< that word; Section::free has all others
};
static_assert(sizeof(Slot) == 64);

struct alignas(64) Section {
  static constexpr std::size_t bytes = std::size_t{1} << 20, slots_in_it = bytes / Slot::bytes;

  Slot slots[slots_in_it];
  Arena* arena;
  Section* older;  ///< of the same arena
  char* pages;
  std::uint64_t (*free)[Slot::words];  ///< by slot
  Section *next, *previous;            ///< in Arena::with_slots, or next in Arena::ended
  unsigned unused;                     ///< slots without blocks
};
inline Section& section_of(Slot& slot) { return *reinterpret_cast<Section*>(&slot - slot.number); }

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
  const void* owner;
  Slot* with_room[size_classes];  ///< in the order of addresses
  Section* with_slots;            ///< likewise
  Section* newest;                ///< of all
  Section* ended;                 ///< their pages are given back
  unsigned empty_sections;
  SiteCount* site;
  Arena* next;                         ///< of the same owner and hash, or of those of its site without one
  std::atomic<GivenBack*> given_back;  ///< by other threads
  Arena* next_noted;                   ///< of those that lanes_rest() looks at
};

// Which addresses are of arenas: what is known of each MiB of the address space, in leaves of 16 GiB.
inline constexpr unsigned section_bits = 20, leaf_bits = 34;
inline constexpr std::size_t sections_in_leaf = std::size_t{1} << (leaf_bits - section_bits);
struct Leaf {
  std::atomic<Section*> sections[sections_in_leaf];
};
extern constinit std::atomic<Leaf*> leaves[std::size_t{1} << (47 - leaf_bits)];

/// Null: the block is of no arena.
inline Slot* slot_of(const void* block) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  if (address >> 47) [[unlikely]]
    return nullptr;
  const Leaf* const leaf = leaves[address >> leaf_bits].load(std::memory_order_acquire);
  if (leaf == nullptr) return nullptr;
  Section* const section = leaf->sections[(address >> section_bits) % sections_in_leaf].load(std::memory_order_acquire);
  return section ? &section->slots[address % Section::bytes / Slot::bytes] : nullptr;
}

/// Fixed before the first arena: in virtual time lanes_rest() alone takes over what other threads give back.
extern constinit bool in_turns;
/// No lane runs now.
void lanes_rest();

/// An arena that an ended thread had for this site, or a new one. Null: there are too many.
Arena* arena_for(SiteCount& site, const void* owner);
/// Its owner ends.
void leave_arena(Arena& arena);

/// From a thread that does not own the arena.
void give_back_remote(Arena& arena, void* block);

// The rest is for the owner alone.

/// With a free block. Null: LB-HM has no memory for it.
Slot* another_slot(Arena& arena, unsigned size_class);
/// `word` has no free block, a later one has.
void next_word(Slot& slot);
/// In another word. False: it is free already.
bool set_free_elsewhere(Slot& slot, std::uint32_t word, std::uint64_t bit);
void is_full(Slot& slot);
void is_full_no_more(Slot& slot);
/// All its blocks are free, and others of their size have room.
void end_slot(Slot& slot);
/// The block is free already: the process's malloc says what it says of such.
void given_back_twice(void* block);

/// From `last`, where the arena's last block is from, if that has one left of such a size. Null: LB-HM has no memory
/// for it.
inline void* take_block(Arena& arena, Slot*& last, unsigned size_class) {
  Slot* slot = last;
  if (slot == nullptr || slot->free == 0 || slot->size != size_of_class(size_class)) {
    slot = arena.with_room[size_class];
    if (slot == nullptr) [[unlikely]] {
      slot = another_slot(arena, size_class);
      if (slot == nullptr) return nullptr;
    }
    if (slot->free == 0) [[unlikely]]
      next_word(*slot);
    last = slot;
  }
  const auto bit = static_cast<std::uint32_t>(std::countr_zero(slot->free));
  slot->free &= slot->free - 1;
  if (++slot->used == slot->count) [[unlikely]]
    is_full(*slot);
  return slot->blocks + std::size_t{slot->word * 64 + bit} * slot->size;
}

/// False: it is free already.
inline bool set_free(Slot& slot, const void* block) {
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(block) - slot.blocks);
  const auto index = static_cast<std::uint32_t>(offset * slot.reciprocal >> 32);  // exact where a block begins
  const std::uint64_t bit = std::uint64_t{1} << index % 64;
  if (index / 64 != slot.word) [[unlikely]] {
    if (!set_free_elsewhere(slot, index / 64, bit)) return false;
  } else {
    if (slot.free & bit) [[unlikely]]
      return false;
    slot.free |= bit;
  }
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
