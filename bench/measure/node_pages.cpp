#include "bench/measure/node_pages.h"

#include <array>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "bench/measure/node_memory.h"

namespace measure {
namespace {

constexpr double not_measurable = std::numeric_limits<double>::quiet_NaN();
constexpr std::array<std::size_t, 5> batches{1, 16, 256, 4096, 16384};
constexpr std::size_t small_page = 4096, huge_page = std::size_t{2} << 20;

/// 10^9 pages a second, there and back; the way back is not timed: it is another figure. `middles`: of the pages; where
/// the kernel gave small pages for huge ones they stay behind.
double gigapages_per_s(std::span<void*> pages, std::span<void*> middles, std::size_t batch, int from, int to) {
  std::size_t moved = 0;
  const double seconds = elapsed_seconds_of([&] { moved = move_pages_to(pages, batch, to); });
  const bool whole = moved == pages.size() && share_on_node(middles, to) == 1;
  move_pages_to(pages, batches.back(), from);
  return whole ? static_cast<double>(moved) / 1e9 / seconds : not_measurable;
}

}  // namespace

void measure_migration(Printer& print, int from, int to, std::size_t bytes) {
  for (const auto& [page, kind] : {std::pair{small_page, Pages::small}, std::pair{huge_page, Pages::huge}}) {
    const Lines memory(bytes, kind);
    for (Line& line : memory.lines()) line.rest[0] = 1;
    std::vector<void*> pages = pages_of(memory, page);
    std::vector<void*> middles = pages_of(memory, page, page / 2);
    for (const std::size_t batch : batches) {
      if (batch > pages.size()) break;
      const std::string name = "move_gb_per_s_" + std::to_string(page) + "_" + std::to_string(batch);
      const auto once = [&] { return static_cast<double>(page) * gigapages_per_s(pages, middles, batch, from, to); };
      print(name, once, Noise::takes);
    }
  }
}

void measure_query(Printer& print, std::size_t bytes) {
  const Lines memory(bytes, Pages::small);
  for (Line& line : memory.lines()) line.rest[0] = 1;
  std::vector<void*> pages = pages_of(memory, small_page);
  for (const std::size_t batch : batches) {
    if (batch > pages.size()) break;
    const auto once = [&] {
      bool answered = false;
      const double seconds = elapsed_seconds_of([&] { answered = query_pages(pages, batch); });
      return answered ? seconds * 1e9 / static_cast<double>(pages.size()) : not_measurable;
    };
    print("query_page_ns_" + std::to_string(batch), once, Noise::adds);
  }
}

}  // namespace measure
