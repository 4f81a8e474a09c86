// What free and realloc do with any block, for functions that have other names.
#pragma once

#include <cstddef>

namespace lbhm::heap {

void release(void* block);
void* resize(void* block, std::size_t bytes);

}  // namespace lbhm::heap
