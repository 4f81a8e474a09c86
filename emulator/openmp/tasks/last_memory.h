// Memory when the system has none left: tasks that are under way can still be finished.
#pragma once

#include <cstddef>

namespace lbhm::tasks {

/// From a reserve. From the first call on memory_is_short() is true.
/// Throws std::bad_alloc.
void* take_last_memory(std::size_t bytes, std::size_t alignment);
/// False if `memory` came from elsewhere. It is not used again: so short of memory, there will be no more tasks.
bool give_back_last_memory(const void* memory);

}  // namespace lbhm::tasks
