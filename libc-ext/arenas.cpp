#include "libc-ext/arenas.h"

#include <sys/mman.h>

#include <iterator>
#include <utility>

#include "libc-ext/process_malloc.h"
#include "libomp-ext/allocators/heap_objects.h"

namespace lbhm::heap {

constinit std::atomic<Leaf*> leaves[std::size_t{1} << (47 - leaf_bits)]{};
constinit bool in_turns = false;

namespace {

constinit std::atomic<Arena*> noted_arenas{nullptr};

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

/// What is known of sections, and the bits of their blocks.
struct Sections {
  Section sections[64];
  std::uint64_t free[64][Section::slots_in_it][Slot::words];
};
constinit std::atomic<Sections*> all_sections[1 << 12]{};
constinit std::atomic<unsigned> sections_begun{0};

/// Null: there is no memory. Of those that call at the same time all get the first one's.
template <class T>
T* pages_at(std::atomic<T*>& place) {
  T* known = place.load(std::memory_order_acquire);
  if (known != nullptr) return known;
  auto* const fresh = static_cast<T*>(zeroed_pages(sizeof(T)));
  if (fresh == nullptr || place.compare_exchange_strong(known, fresh, std::memory_order_acq_rel)) return fresh;
  munmap(fresh, sizeof(T));
  return known;
}

/// Null: there are too many, or there is no memory.
Section* new_section(Arena& arena) {
  if (sections_begun.load(std::memory_order_relaxed) >= std::size(all_sections) * 64) return nullptr;
  const unsigned number = sections_begun.fetch_add(1, std::memory_order_relaxed);
  Sections* const group = number / 64 < std::size(all_sections) ? pages_at(all_sections[number / 64]) : nullptr;
  if (group == nullptr) return nullptr;
  Section& section = group->sections[number % 64];
  section.free = group->free[number % 64];
  section.arena = &arena;
  section.older = std::exchange(arena.newest, &section);
  for (std::uint32_t i = 0; i < Section::slots_in_it; ++i) {
    section.slots[i].number = i;
    section.slots[i].owner.store(arena.owner, std::memory_order_relaxed);
  }
  return &section;
}

/// Onto a list that whoever reads it takes as a whole. True: it was empty.
template <class T>
bool push(std::atomic<T*>& list, T& item, T* T::* next) {
  T* head = list.load(std::memory_order_relaxed);
  do { item.*next = head; } while (!list.compare_exchange_weak(head, &item, std::memory_order_acq_rel));
  return head == nullptr;
}

const char* address_of(const Slot& slot) { return slot.blocks; }
const char* address_of(const Section& section) { return section.pages; }

template <class T>
void enter(T*& list, T& item) {
  T* before = nullptr;
  T* after = list;
  while (after != nullptr && address_of(*after) < address_of(item)) {
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

/// `section`: of these pages from now on; null: they are of none. False: there is no memory for it.
bool note(const void* pages, Section* section) {
  const auto address = reinterpret_cast<std::uintptr_t>(pages);
  Leaf* const leaf = address >> 47 ? nullptr : pages_at(leaves[address >> leaf_bits]);
  if (leaf == nullptr) return false;
  leaf->sections[(address >> section_bits) % sections_in_leaf].store(section, std::memory_order_release);
  return true;
}

Slot*& list_of(Slot& slot) { return section_of(slot).arena->with_room[class_of(slot.size)]; }

void set_owner(Arena& arena, const void* owner) {
  arena.owner = owner;
  for (Section* section = arena.newest; section != nullptr; section = section->older)
    for (Slot& slot : section->slots) slot.owner.store(owner, std::memory_order_relaxed);
}

Section* another_section(Arena& arena) {
  void* const pages = lbhm_heap_arena(Section::bytes, arena.site->site.load(std::memory_order_relaxed));
  if (pages == nullptr) return nullptr;
  if (arena.ended == nullptr) arena.ended = new_section(arena);
  Section* const section = arena.ended;
  if (section == nullptr || !note(pages, section)) {
    lbhm_heap_arena_gone(pages);
    return nullptr;
  }
  arena.ended = section->next;
  section->pages = static_cast<char*>(pages);
  section->unused = Section::slots_in_it;
  ++arena.empty_sections;
  enter(arena.with_slots, *section);
  return section;
}

void begin_slot(Section& section, std::uint32_t number, Arena& arena, unsigned size_class) {
  Slot& slot = section.slots[number];
  slot.size = size_of_class(size_class);
  slot.reciprocal = static_cast<std::uint32_t>(((std::uint64_t{1} << 32) + slot.size - 1) / slot.size);
  slot.blocks = section.pages + number * Slot::bytes;
  slot.count = static_cast<std::uint32_t>(Slot::bytes / slot.size);
  slot.used = slot.word = 0;
  for (std::uint32_t word = 0; word * 64 < slot.count; ++word) {
    const std::uint32_t left = slot.count - word * 64;
    section.free[number][word] = left >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << left) - 1;
  }
  slot.free = section.free[number][0];
  enter(arena.with_room[size_class], slot);
}

/// In whatever order they were given back: which slots end is decided when all of them are free.
void take_over(Arena& arena) {
  GivenBack* block = arena.given_back.exchange(nullptr, std::memory_order_acquire);
  if (block == nullptr) return;
  while (block != nullptr) {
    GivenBack* const next = block->next;
    if (!set_free(*slot_of(block), block)) given_back_twice(block);
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

void next_word(Slot& slot) {
  const std::uint64_t* const free = section_of(slot).free[slot.number];
  section_of(slot).free[slot.number][slot.word] = 0;
  while (free[slot.word] == 0) ++slot.word;
  slot.free = free[slot.word];
}

bool set_free_elsewhere(Slot& slot, std::uint32_t word, std::uint64_t bit) {
  std::uint64_t* const free = section_of(slot).free[slot.number];
  if (free[word] & bit) return false;
  free[word] |= bit;
  if (word > slot.word) return true;
  free[slot.word] = slot.free;
  slot.word = word;
  slot.free = free[word];
  return true;
}

void end_slot(Slot& slot) {
  Section& section = section_of(slot);
  Arena& arena = *section.arena;
  leave(list_of(slot), slot);
  slot.size = 0;
  if (section.unused++ == 0) enter(arena.with_slots, section);
  if (section.unused < Section::slots_in_it || arena.empty_sections++ == 0) return;  // one is kept for what comes next
  --arena.empty_sections;
  leave(arena.with_slots, section);
  note(section.pages, nullptr);
  lbhm_heap_arena_gone(section.pages);
  section.next = arena.ended;
  arena.ended = &section;
}

Slot* another_slot(Arena& arena, unsigned size_class) {
  if (!in_turns) {
    take_over(arena);
    if (arena.with_room[size_class]) return arena.with_room[size_class];
  }
  Section* const section = arena.with_slots ? arena.with_slots : another_section(arena);
  if (section == nullptr) return nullptr;
  std::uint32_t number = 0;
  while (section->slots[number].size != 0) ++number;
  if (section->unused == Section::slots_in_it) --arena.empty_sections;
  if (--section->unused == 0) leave(arena.with_slots, *section);
  begin_slot(*section, number, arena, size_class);
  return &section->slots[number];
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

Arena* arena_for(SiteCount& site, const void* owner) {
  Arena* found = site.without_owner.load(std::memory_order_relaxed) ? site.without_owner.exchange(nullptr) : nullptr;
  for (Arena* left = found ? found->next : nullptr; left != nullptr;) {
    Arena& arena = *left;
    left = arena.next;
    push(site.without_owner, arena, &Arena::next);
  }
  if (found == nullptr) found = new_arena();
  if (found == nullptr) return nullptr;
  found->site = &site;
  set_owner(*found, owner);
  return found;
}

void leave_arena(Arena& arena) {
  set_owner(arena, nullptr);
  push(arena.site->without_owner, arena, &Arena::next);
}

}  // namespace lbhm::heap
