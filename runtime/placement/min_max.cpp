#include "runtime/placement/min_max.h"

namespace lbhm::placement {
namespace {

/// Bisection to 1/2^12 of the way from the best to the present end.
constexpr int halvings = 12;
/// Ends that are tried between the earliest possible one and that without copies.
constexpr int compromises = 8;

}  // namespace

MinMax min_max(const ScopeForecast& scope, Cover& cover, const Layout& layout, Nanoseconds copy_cost) {
  MinMax best;
  best.pages.resize(layout.fast().size());
  layout.keep(best.pages);
  best.before = best.end = cover.end_of(best.pages);

  Nanoseconds possible = best.before, impossible = cover.earliest();
  for (int i = 0; i < halvings; ++i) {
    const Nanoseconds middle = (possible + impossible) / 2;
    (cover.pages_for(middle, layout.capacity()) ? possible : impossible) = middle;
  }
  if (cover.pages_for(cover.earliest(), layout.capacity())) possible = cover.earliest();

  const auto cost_of = [&](std::span<const std::uint64_t> pages, Nanoseconds end) {
    return end * scope.instances + copy_cost * static_cast<double>(layout.copies(pages));
  };
  Nanoseconds cheapest = cost_of(best.pages, best.end);
  for (int i = 0; i < compromises; ++i) {
    const Nanoseconds end = possible + (best.before - possible) * (static_cast<double>(i) / compromises);
    auto pages = cover.pages_for(end, layout.capacity());
    if (!pages) continue;
    layout.keep(*pages);
    const Nanoseconds reached = cover.end_of(*pages);
    const Nanoseconds cost = cost_of(*pages, reached);
    if (cost >= cheapest) continue;
    cheapest = cost;
    best.pages = std::move(*pages);
    best.end = reached;
  }
  return best;
}

}  // namespace lbhm::placement
