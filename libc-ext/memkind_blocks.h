// Blocks of memkind's interface: objects where they are large and LB-HM places them, libmemkind's else, and malloc's
// where the process has no libmemkind.
#pragma once

#include <cstddef>

#include "libc-ext/real_memkind.h"

namespace lbhm::heap {

// `wish`: a number in wishes (real_memkind.h).

void* wished_block(std::size_t wish, std::size_t bytes);
void* wished_zeros(std::size_t wish, std::size_t count, std::size_t bytes);
/// As realloc; of a block of any of these functions.
void* wished_resize(std::size_t wish, void* block, std::size_t bytes);
/// As posix_memalign.
int wished_aligned(std::size_t wish, void** block, std::size_t alignment, std::size_t bytes);

/// `kind`: the block's, or null.
void release_wished(Kind kind, void* block);
std::size_t wished_bytes(Kind kind, void* block);
/// Bytes of a block of ours; 0: libmemkind's.
std::size_t own_wished_bytes(const void* block);
/// The block lies in memory of which the program has made a kind (memkind_create_fixed).
bool is_of_fixed_kind(const void* block);
/// What was asked for with a block; no_wish: only libmemkind may know.
std::size_t wish_of_block(const void* block);

}  // namespace lbhm::heap
