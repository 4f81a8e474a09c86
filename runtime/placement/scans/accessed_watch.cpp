#include "runtime/placement/scans/accessed_watch.h"

#include <algorithm>

#include "runtime/base/chance.h"
#include "runtime/placement/daemons/daemon.h"

namespace lbhm::placement {
namespace {

constexpr Bytes published_part = MiB(2);  // section 4

/// The same draw in every run.
std::uint64_t drawn(std::uint64_t part, std::uint64_t period) {
  return finalised(part * 0x9E3779B97F4A7C15ull + (period + 1) * 0xD1B54A32D192ED03ull);
}

/// Pages that stand for others: pages[first, end) have the bit of page `watched`.
struct Part {
  std::size_t first, end, watched;
};

/// Slow pages stand for themselves.
std::vector<Part> parts_of(std::span<const WatchedPage> pages, Bytes part, std::uint64_t period) {
  std::vector<Part> parts;
  for (std::size_t first = 0, end = 0; first < pages.size(); first = end) {
    const std::uint64_t number = pages[first].address / part.value;
    end = first + 1;
    while (pages[first].tier == TierId(0) && end < pages.size() && pages[end].tier == TierId(0) &&
           pages[end].address / part.value == number)
      ++end;
    parts.push_back({first, end, first + drawn(number, period) % (end - first)});
  }
  return parts;
}

}  // namespace

void AllBits::scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t /*period*/,
                   std::span<bool> found) {
  std::vector<std::uintptr_t> addresses;
  for (const WatchedPage& page : pages) addresses.push_back(page.address);
  const AccessedPages accessed(machine, addresses);
  for (std::size_t i = 0; i < pages.size(); ++i) found[i] = accessed[i];
}

void SampledFastBits::scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t period,
                           std::span<bool> found) {
  const Bytes page = machine.topology().page;
  const Bytes part =
      part_ > page ? part_ : scaled(published_part, usual_published_footprint, machine.peak_footprint(), page);
  const std::vector<Part> parts = parts_of(pages, part, period);
  std::vector<std::uintptr_t> addresses;
  addresses.reserve(parts.size());
  for (const Part& each : parts) addresses.push_back(pages[each.watched].address);
  const AccessedPages accessed(machine, addresses);
  for (std::size_t i = 0; i < parts.size(); ++i)
    std::ranges::fill(found.subspan(parts[i].first, parts[i].end - parts[i].first), accessed[i]);
}

void SampledPages::add(std::span<const AccessSample> samples) {
  for (const AccessSample& sample : samples) accessed_.push_back(sample.address);
}

void SampledPages::scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t /*period*/,
                        std::span<bool> found) {
  std::ranges::sort(accessed_);
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const auto first = std::ranges::lower_bound(accessed_, pages[i].address);
    found[i] = first != accessed_.end() && *first - pages[i].address < machine.topology().page.value;
  }
  accessed_.clear();
}

}  // namespace lbhm::placement
