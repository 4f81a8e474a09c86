// Mappings of memory for objects.
#pragma once

#include "runtime/base/units.h"

namespace lbhm::host {

/// What transparent huge pages are on x86-64 and on arm64 with pages of 4 KiB.
inline constexpr Bytes huge_page = MiB(2);

/// Zeroed private memory of whole pages, aligned to a power of two; `flags` of mmap(2) besides. Null: there is none.
void* map_aligned(Bytes bytes, Bytes page, Bytes alignment, int flags = 0);

}  // namespace lbhm::host
