// Trait lists of omp_init_allocator, checked and understood. Standard: OpenMP 5.2, section 6.2; ours: omp_traits.h.
#pragma once

#include <omp.h>
#include <array>
#include <expected>

#include "libomp-ext/allocators/handle.h"
#include "runtime/engine/engine.h"

namespace lbhm::allocators {

// The sentences of this room: one line each on standard error, made without allocating.

/// A sentence of bounded length; what does not fit is cut.
struct Sentence {
  std::array<char, 400> text{};

  [[gnu::format(printf, 1, 2)]] static Sentence format(const char* format, ...);
};

/// Prints "LB-HM: <sentence>" as one line.
void say(const Sentence& sentence);
/// The same for mistakes that a program may make a million times: only the first 20 are shown, the last with a note.
void say_limited(const Sentence& sentence);
/// Prints the line and ends the program (omp_atv_abort_fb).
[[noreturn]] void say_and_abort(const Sentence& sentence);

// Traits.

enum class Fallback : std::uint8_t { default_memory, null, abort, allocator };

/// What an allocator promises. All other standard traits change nothing, as in libomp on a host without an offload
/// runtime.
struct AllocatorTraits {
  Handle space = 0;              ///< omp_*_mem_space; 0 is the default one
  std::uint64_t alignment = 0;   ///< a power of two; 0: none asked for
  std::uint64_t pool_bytes = 0;  ///< 0: no limit
  Fallback fallback = Fallback::default_memory;
  Handle fallback_allocator = null_handle;
  engine::MemoryTraits memory{};  ///< ours; name belongs to the program until the allocator copies it

  /// A space that is a tier's on machines with several: whether there is memory is what the fallback trait is about.
  /// Managed memory is LB-HM's to place, and it always has some.
  bool names_tier() const;
  /// Where the memory is, is not malloc's affair.
  bool placed() const;
};

/// omp_atk_*. OpenMP 5.2 has 8 of them, 6.0 has 16.
constexpr bool is_standard_key(std::uint32_t key, bool openmp6) { return key >= 1 && key <= (openmp6 ? 16 : 8); }

/// The space or a key is none of OpenMP 5.2's host.
bool names_more_than_5_2(Handle space, int count, const omp_alloctrait_t* traits);

/// Reads a list for a runtime that knows OpenMP 6.0 or does not. What it does not know is left out, and said once. The
/// error names the trait, its position and what is accepted. `fb_data` is not looked up here.
std::expected<AllocatorTraits, Sentence> parse_traits(Handle space, int count, const omp_alloctrait_t* traits,
                                                      bool openmp6);

}  // namespace lbhm::allocators
