// Memory without a header in front of the block: aligned to pages, or the engine's. (Of the runtime's:
// real_openmp.h.)
#pragma once

#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/traits.h"

namespace lbhm::allocators {

// Blocks from malloc aligned to a page or more. They have no header (plain_memory.h) and are remembered instead.

/// Null if malloc has none. `charge` goes back to the owner's pool at the release.
void* page_allocate(const Request& request, Owner owner, std::uint64_t charge);
/// Gives back a block that was in the address map.
void page_release(void* address);

// Memory whose place LB-HM or the program decides: the engine's.

/// An object; or a block of the tier that traits or space name: below the setting managed_minimum, and for memory that
/// the program did not give to LB-HM up to 1 MiB. Null if the engine has neither. `charge` goes back to the allocator's
/// pool at the release.
void* placed_allocate(const AllocatorTraits& traits, const Request& request, Owner owner, std::uint64_t charge);
/// Gives back a block that was in the address map; `bytes` as they were asked for.
void managed_release(void* address, std::uint64_t bytes);

}  // namespace lbhm::allocators
