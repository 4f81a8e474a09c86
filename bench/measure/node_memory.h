// Memory of one node, and moving it, by the kernel's own calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bench/measure/kernels/lines.h"

namespace measure {

/// All memory that this process touches from now on is of this node. False: the kernel refuses.
bool bind_to_node(int node);

/// The share of the memory's pages that are on the node, 0 to 1, from up to 1024 of them; nan: the kernel refuses.
double share_on_node(const Lines& memory, int node);
/// Of these pages.
double share_on_node(std::span<void*> pages, int node);

/// One address in each page of `step` bytes that is whole in the memory, `inside` bytes from its begin.
std::vector<void*> pages_of(const Lines& memory, std::size_t step, std::size_t inside = 0);

/// Moves pages, `batch` of them a call. Returns how many are on the node then.
std::size_t move_pages_to(std::span<void*> pages, std::size_t batch, int node);

/// Asks where pages are, `batch` of them a call. False: the kernel refuses.
bool query_pages(std::span<void*> pages, std::size_t batch);

}  // namespace measure
