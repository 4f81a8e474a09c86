// Objects whose place LB-HM decides: the engine's memory.
#pragma once

#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/request.h"

namespace lbhm::allocators {

/// Null if the engine has none for blocks of this size: those below the setting managed_minimum come from malloc, as
/// tiers are chosen by the page. Always zeroed. `charge` goes back to the allocator's pool at the release.
void* managed_allocate(const Allocator& allocator, const Request& request, Owner owner, std::uint64_t charge);
/// Gives back a block that was in the address map.
void managed_release(void* address);

}  // namespace lbhm::allocators
