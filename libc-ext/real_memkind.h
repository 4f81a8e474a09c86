// memkind's library, where the process has it: what is no object comes from there and goes back there. And its kinds
// that are there from the start.
#pragma once

#include <cstddef>

struct memkind;

namespace lbhm::heap {

using Kind = memkind*;  ///< memkind_t

inline constexpr int success = 0, unavailable = -1;  // memkind.h: MEMKIND_SUCCESS, MEMKIND_ERROR_UNAVAILABLE

/// The functions of libmemkind.
struct RealMemkind {
  void* (*malloc)(Kind, std::size_t);
  void* (*calloc)(Kind, std::size_t, std::size_t);
  void* (*realloc)(Kind, void*, std::size_t);
  void (*free)(Kind, void*);
  int (*posix_memalign)(Kind, void**, std::size_t, std::size_t);
  std::size_t (*usable_size)(Kind, void*);
  int (*check_available)(Kind);
  Kind (*detect_kind)(void*);
  void* (*defrag_reallocate)(Kind, void*);
  int (*verify)(void*, std::size_t, int);
  int (*update_cached_stats)();
  int (*get_stat)(Kind, int, std::size_t*);
  int (*create_fixed)(void*, std::size_t, Kind*);
  int (*destroy_kind)(Kind);
  // What its own tables of functions name.
  void (*arena_free)(Kind, void*);
  void (*arena_free_any)(void*);
  void* (*arena_realloc)(Kind, void*, std::size_t);
  void* (*arena_realloc_any)(void*, std::size_t);
  Kind (*arena_detect_kind)(void*);
  void (*default_free)(Kind, void*);
  void* (*default_realloc)(Kind, void*, std::size_t);
  std::size_t (*default_usable_size)(Kind, void*);
  void (*tier_free)(Kind, void*);
  void* (*tier_realloc)(Kind, void*, std::size_t);
};

/// Null: it is not in this process.
const RealMemkind* real_memkind();
/// The code at this address is libmemkind's: what it asks for it also looks into (memtier_*), so that is its own.
bool is_memkinds(const void* code);

/// A kind that says which memory it wants, and no more: its large blocks are objects.
struct Wish {
  const char* name;  ///< of the variable that holds the kind
  int tier;          ///< as heap_objects.h has it
};
inline constexpr Wish wishes[] = {
    {"MEMKIND_DEFAULT", -1},
    {"MEMKIND_REGULAR", -1},
    {"MEMKIND_INTERLEAVE", -1},
    {"MEMKIND_HBW", 0},
    {"MEMKIND_HBW_PREFERRED", 0},
    {"MEMKIND_HBW_INTERLEAVE", 0},
    {"MEMKIND_HBW_ALL", 0},
    {"MEMKIND_HIGHEST_BANDWIDTH_LOCAL", 0},
    {"MEMKIND_HIGHEST_BANDWIDTH_LOCAL_PREFERRED", 0},
    {"MEMKIND_LOWEST_LATENCY_LOCAL", 0},
    {"MEMKIND_LOWEST_LATENCY_LOCAL_PREFERRED", 0},
    {"MEMKIND_DAX_KMEM", 255},
    {"MEMKIND_DAX_KMEM_ALL", 255},
    {"MEMKIND_DAX_KMEM_PREFERRED", 255},
    {"MEMKIND_DAX_KMEM_INTERLEAVE", 255},
    {"MEMKIND_HIGHEST_CAPACITY", 255},
    {"MEMKIND_HIGHEST_CAPACITY_PREFERRED", 255},
    {"MEMKIND_HIGHEST_CAPACITY_LOCAL", 255},
    {"MEMKIND_HIGHEST_CAPACITY_LOCAL_PREFERRED", 255},
};
inline constexpr std::size_t no_wish = sizeof wishes / sizeof *wishes, default_wish = 0;

/// The number of a kind in `wishes`; no_wish: a kind that the program made, or one of huge pages.
std::size_t wish_of(Kind kind);
/// libmemkind's kind of that number; null without libmemkind.
Kind kind_of(std::size_t wish);
/// The same where libmemkind has such memory here; else a stand-in, or the kind of ordinary memory. errno stays.
Kind kind_at_hand(std::size_t wish);
/// The kind itself if it is no wish, or null.
inline Kind at_hand(Kind kind) {
  const std::size_t wish = wish_of(kind);
  return wish == no_wish ? kind : kind_at_hand(wish);
}

// Stand-ins. Where LB-HM places memory, programs are told that there is memory of every wish (memkind_check_available),
// whatever libmemkind finds here. So small blocks, which are no objects, come from a kind of their own for each wish
// that it does not know: ordinary memory, whose addresses say what was asked for.

/// The wish whose stand-in has the address; no_wish: none.
std::size_t wish_at(const void* address);
/// Where the memory of a stand-in ends.
const char* end_of_stand_in(std::size_t wish);

}  // namespace lbhm::heap
