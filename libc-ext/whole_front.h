// Whether malloc's blocks may be ours: only if all that is asked of malloc's family comes to us, and goes on to glibc.
#pragma once

#include <cstddef>

namespace lbhm::heap {

/// A program with an allocator of its own keeps it: one that is linked, preloaded, or written into the program, even if
/// it is only a part of the family. Its other functions would meet blocks of ours. What stands in front of us and hands
/// everything on (a profiler) is no allocator. For the constructor: may ask for a few blocks to find out.
bool front_is_whole();

/// realloc of the program's own allocator; null: it is ours. For reallocarray, which calls it in glibc, too.
extern constinit void* (*realloc_in_front)(void*, std::size_t);

}  // namespace lbhm::heap
