// Whether a page that move_pages cannot find is there all the same.
#pragma once

#include <cstdint>
#include <span>

namespace lbhm::host {

/// out[i]: pages[i] has contents, in memory or on their way (swapped out, or being migrated by the kernel). Linux 6.1
/// answers -ENOENT for pages that are there but PROT_NONE (6.12 moves them), and every kernel does for a moment while
/// it moves a page itself: both differ from a page that nobody has touched. All false without /proc/self/pagemap
/// (Documentation/admin-guide/mm/pagemap.rst). `pages` and `out` have one length; neighbours are asked together.
void have_contents(std::span<const std::uintptr_t> pages, std::span<bool> out);

}  // namespace lbhm::host
