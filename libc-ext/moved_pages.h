// Contents that move to another block with their pages.
#pragma once

#include <cstddef>

namespace lbhm::heap {

/// As memcpy between two objects, after which nobody reads `from` any more: of many bytes the pages move. So it costs
/// little, takes no second memory, a page stays in its tier, and what nobody has touched stays so.
void move_contents(void* to, void* from, std::size_t bytes);

}  // namespace lbhm::heap
