// What it takes to move pages between nodes, and to ask where they are.
#pragma once

#include <cstddef>

#include "bench/measure/printer.h"

namespace measure {

/// The process is bound to `from`. GB/s of `bytes` in small and in huge pages, by batch: move_gb_per_s_PAGE_BATCH. null
/// where not all arrive.
void measure_migration(Printer& print, int from, int to, std::size_t bytes);
/// Nanoseconds a page, by batch: query_page_ns_BATCH.
void measure_query(Printer& print, std::size_t bytes);

}  // namespace measure
