#include "runtime/knowledge/page_uses.h"

#include <algorithm>
#include <map>
#include <span>

namespace lbhm {
namespace {

/// Of the new instance: half, so that what was seen n instances ago counts 1/2^n.
constexpr double weight = 0.5;

AccessCount sum_of(std::span<const PageCount> pages) {
  AccessCount sum;
  for (const PageCount& page : pages) sum += page.count;
  return sum;
}

/// The pages of one slot; `rest` begins behind them then.
std::span<const PageCount> take_slot(std::span<const PageCount>& rest) {
  const ObjectSlot slot = rest.front().slot;
  const auto end = std::ranges::partition_point(rest, [&](const PageCount& page) { return page.slot <= slot; });
  const std::span<const PageCount> pages(rest.begin(), end);
  rest = {end, rest.end()};
  return pages;
}

std::uint64_t page_number(Bytes bytes, Bytes page) {
  return std::max<std::uint64_t>(1, (bytes.value + page.value - 1) / page.value);
}

/// Adds the pages of a slot of the instance to the spread (page of the base object -> share of the accesses).
void add(std::span<const PageCount> pages, Bytes from, Bytes to, Bytes page, double share,
         std::map<std::uint64_t, double>& spread) {
  const AccessCount sum = sum_of(pages);
  const double scale = static_cast<double>(page_number(to, page)) / static_cast<double>(page_number(from, page));
  for (const PageCount& p : pages) {
    // A page of a smaller instance stands for several of the base object.
    const double first = static_cast<double>(p.page.value) * scale, behind = first + scale;
    const auto begin = static_cast<std::uint64_t>(first);
    const auto end = std::max(begin + 1, static_cast<std::uint64_t>(behind));
    const double part = share * (p.count / sum) / static_cast<double>(end - begin);
    for (std::uint64_t q = begin; q < end; ++q) spread[q] += part;
  }
}

std::vector<PageCount> blended(std::span<const PageCount> before, std::span<const PageCount> now,
                               const PhaseProfile& base, const PhaseProfile& instance, Bytes page) {
  std::vector<PageCount> result;
  std::map<std::uint64_t, double> spread;
  while (!before.empty() || !now.empty()) {
    const ObjectSlot slot = before.empty() ? now.front().slot
                            : now.empty()  ? before.front().slot
                                           : std::min(before.front().slot, now.front().slot);
    const auto old = !before.empty() && before.front().slot == slot ? take_slot(before) : std::span<const PageCount>();
    const auto fresh = !now.empty() && now.front().slot == slot ? take_slot(now) : std::span<const PageCount>();
    if (slot.value >= base.object_bytes.size() || slot.value >= instance.object_bytes.size()) continue;
    const Bytes size = base.object_bytes[slot.value], new_size = instance.object_bytes[slot.value];
    const AccessCount total = old.empty() ? sum_of(fresh) * (size / new_size) : sum_of(old);
    spread.clear();
    if (!old.empty()) add(old, size, size, page, fresh.empty() ? 1 : 1 - weight, spread);
    if (!fresh.empty()) add(fresh, new_size, size, page, old.empty() ? 1 : weight, spread);
    for (const auto& [number, share] : spread) result.push_back({slot, PageIndex(number), total * share});
  }
  return result;
}

/// The samples that a mean of two spreads rests on: its variance is (1-w)^2 / before + w^2 / now that of one sample.
double together(double before, double now) {
  if (!(before > 0)) return now;
  if (!(now > 0)) return before;
  return 1 / ((1 - weight) * (1 - weight) / before + weight * weight / now);
}

}  // namespace

void follow_pages(PhaseProfile& base, const PhaseProfile& instance, Bytes page) {
  for (std::size_t task = 0; task < std::min(base.tasks.size(), instance.tasks.size()); ++task) {
    TaskProfile& known = base.tasks[task];
    const TaskProfile& fresh = instance.tasks[task];
    known.pages = blended(known.pages, fresh.pages, base, instance, page);
    known.samples = together(known.samples, fresh.samples);
  }
}

}  // namespace lbhm
