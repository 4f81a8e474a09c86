// Blocks from malloc aligned to a page or more. They have no header (block.h) and are remembered instead.
#pragma once

#include "libomp-ext/allocators/handle.h"
#include "libomp-ext/allocators/request.h"

namespace lbhm::allocators {

/// Null if malloc has none. `charge` goes back to the owner's pool at the release.
void* page_allocate(const Request& request, Owner owner, std::uint64_t charge);
/// Gives back a block that was in the address map.
void page_release(void* address);

}  // namespace lbhm::allocators
