#include "libc-ext/arenas.h"

#include <sys/mman.h>

#include <iterator>

#include "libc-ext/process_malloc.h"
#include "libomp-ext/allocators/heap_objects.h"

namespace lbhm::heap {

constinit std::atomic<Leaf*> leaves[std::size_t{1} << (47 - leaf_bits)]{};
constinit bool in_turns = false;

namespace {

constinit std::atomic<Arena*> noted_arenas{nullptr}, arenas_without_owner{nullptr};

void* zeroed_pages(std::size_t bytes) {
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? nullptr : pages;
}

/// Close together, as their parts are looked at often. An arena is never given back.
constinit Arena all_arenas[1 << 14]{};
constinit std::atomic<unsigned> arenas_begun{0};

/// Null: there are too many.
Arena* new_arena() {
  if (arenas_begun.load(std::memory_order_relaxed) >= std::size(all_arenas)) return nullptr;
  const unsigned number = arenas_begun.fetch_add(1, std::memory_order_relaxed);
  return number < std::size(all_arenas) ? &all_arenas[number] : nullptr;
}

/// Onto a list that whoever reads it takes as a whole. True: it was empty.
template <class T>
bool push(std::atomic<T*>& list, T& item, T* T::* next) {
  T* head = list.load(std::memory_order_relaxed);
  do { item.*next = head; } while (!list.compare_exchange_weak(head, &item, std::memory_order_acq_rel));
  return head == nullptr;
}

template <class T>
void enter(T*& list, T& item) {
  T* before = nullptr;
  T* after = list;
  while (after != nullptr && after < &item) {
    before = after;
    after = after->next;
  }
  item.previous = before;
  item.next = after;
  (before ? before->next : list) = &item;
  if (after) after->previous = &item;
}

template <class T>
void leave(T*& list, T& item) {
  (item.previous ? item.previous->next : list) = item.next;
  if (item.next) item.next->previous = item.previous;
}

Leaf* leaf_of(std::uintptr_t address) {
  std::atomic<Leaf*>& place = leaves[address >> leaf_bits];
  Leaf* leaf = place.load(std::memory_order_acquire);
  if (leaf != nullptr) return leaf;
  auto* const fresh = static_cast<Leaf*>(zeroed_pages(sizeof(Leaf)));
  if (fresh == nullptr || place.compare_exchange_strong(leaf, fresh, std::memory_order_acq_rel)) return fresh;
  munmap(fresh, sizeof(Leaf));
  return leaf;
}

/// False: it has no place among the leaves.
bool note(const void* pages, bool is_one) {
  const auto address = reinterpret_cast<std::uintptr_t>(pages);
  Leaf* const leaf = address >> 47 ? nullptr : leaf_of(address);
  if (leaf == nullptr) return false;
  const std::size_t bit = (address >> section_bits) % sections_in_leaf;
  const std::uint64_t mask = std::uint64_t{1} << bit % 64;
  is_one ? leaf->words[bit / 64].fetch_or(mask) : leaf->words[bit / 64].fetch_and(~mask);
  return true;
}

Section& section_of(const Slot& slot) { return section_at(reinterpret_cast<std::uintptr_t>(&slot)); }

void* pages_of(const Section& section) {
  return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(&section) & ~(Section::bytes - 1));
}

Slot*& list_of(Slot& slot) { return slot.arena->with_room[class_of(slot.size)]; }

Section* another_section(Arena& arena) {
  void* const pages = lbhm_heap_arena(Section::bytes, arena.site);
  if (pages == nullptr) return nullptr;
  if (!note(pages, true)) {
    lbhm_heap_arena_gone(pages);
    return nullptr;
  }
  Section* const section = &section_at(reinterpret_cast<std::uintptr_t>(pages));
  section->unused = Section::slots_in_it;
  ++arena.empty_sections;
  enter(arena.with_slots, *section);
  return section;
}

void begin_slot(Slot& slot, Arena& arena, unsigned size_class) {
  Section& section = section_of(slot);
  const auto number = static_cast<std::size_t>(&slot - section.slots);
  const std::size_t skipped = number == 0 ? Section::header : 0;
  slot.arena = &arena;
  slot.size = size_of_class(size_class);
  slot.reciprocal = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + slot.size - 1) / slot.size);
  slot.blocks = static_cast<char*>(pages_of(section)) + number * Slot::bytes + skipped;
  slot.count = static_cast<std::uint32_t>((Slot::bytes - skipped) / slot.size);
  slot.used = slot.word = 0;
  for (std::uint32_t word = 0; word * 64 < slot.count; ++word) {
    const std::uint32_t left = slot.count - word * 64;
    slot.free[word] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  enter(arena.with_room[size_class], slot);
}

/// In whatever order they were given back: which slots end is decided when all of them are free.
void take_over(Arena& arena) {
  GivenBack* block = arena.given_back.exchange(nullptr, std::memory_order_acquire);
  if (block == nullptr) return;
  while (block != nullptr) {
    GivenBack* const next = block->next;
    if (!set_free(slot_of(block), block)) given_back_twice(block);
    block = next;
  }
  for (Slot* list : arena.with_room) {
    while (list != nullptr) {
      Slot* const next = list->next;
      if (list->used == 0 && (list->next || list->previous)) end_slot(*list);
      list = next;
    }
  }
}

}  // namespace

void is_full(Slot& slot) { leave(list_of(slot), slot); }

void is_full_no_more(Slot& slot) { enter(list_of(slot), slot); }

void end_slot(Slot& slot) {
  Arena& arena = *slot.arena;
  Section& section = section_of(slot);
  leave(list_of(slot), slot);
  slot.size = 0;
  if (section.unused++ == 0) enter(arena.with_slots, section);
  if (section.unused < Section::slots_in_it || arena.empty_sections++ == 0) return;  // one is kept for what comes next
  --arena.empty_sections;
  leave(arena.with_slots, section);
  void* const pages = pages_of(section);
  note(pages, false);
  lbhm_heap_arena_gone(pages);
}

Slot* another_slot(Arena& arena, unsigned size_class) {
  if (!in_turns) {
    take_over(arena);
    if (arena.with_room[size_class]) return arena.with_room[size_class];
  }
  Section* const section = arena.with_slots ? arena.with_slots : another_section(arena);
  if (section == nullptr) return nullptr;
  Slot* slot = section->slots;
  while (slot->size != 0) ++slot;
  if (section->unused == Section::slots_in_it) --arena.empty_sections;
  if (--section->unused == 0) leave(arena.with_slots, *section);
  begin_slot(*slot, arena, size_class);
  return slot;
}

void give_back_remote(Arena& arena, void* block) {
  const bool first = push(arena.given_back, *static_cast<GivenBack*>(block), &GivenBack::next);
  if (first && in_turns) push(noted_arenas, arena, &Arena::next_noted);
}

void given_back_twice(void* block) { process.free(block); }

void lanes_rest() {
  if (noted_arenas.load(std::memory_order_relaxed) == nullptr) return;
  for (Arena* arena = noted_arenas.exchange(nullptr, std::memory_order_acquire); arena != nullptr;) {
    Arena* const next = arena->next_noted;
    take_over(*arena);
    arena = next;
  }
}

Arena* arena_for(std::uint64_t site, const void* owner) {
  Arena* found = nullptr;
  Arena* left = arenas_without_owner.load(std::memory_order_relaxed) ? arenas_without_owner.exchange(nullptr) : nullptr;
  while (left != nullptr) {
    Arena& arena = *left;
    left = arena.next;
    if (found == nullptr && arena.site == site) {
      found = &arena;
    } else {
      push(arenas_without_owner, arena, &Arena::next);
    }
  }
  if (found == nullptr) found = new_arena();
  if (found == nullptr) return nullptr;
  found->site = site;
  found->owner.store(owner, std::memory_order_release);
  return found;
}

void leave_arenas(Arena* first) {
  while (first != nullptr) {
    Arena& arena = *first;
    first = arena.next;
    arena.owner.store(nullptr, std::memory_order_release);
    push(arenas_without_owner, arena, &Arena::next);
  }
}

}  // namespace lbhm::heap
