#include "runtime/placement/min_max.h"

#include <numeric>
#include <optional>

namespace lbhm::placement {
namespace {

/// Of the way from a region's end without copies to its earliest one.
constexpr double first_step = 1.0 / 16, last_step = 1.0 / 1024;

Nanoseconds sum_of(std::span<const Nanoseconds> ends) {
  return std::accumulate(ends.begin(), ends.end(), Nanoseconds(0));
}

class Descent {
 public:
  Descent(const ScopeForecast& scope, Cover& cover, const Layout& layout, Nanoseconds copy_cost)
      : scope_(scope), cover_(cover), layout_(layout), copy_cost_(copy_cost), steps_(cover.regions(), first_step) {
    std::vector<std::uint64_t> nothing(layout.fast().size());
    layout.keep(nothing);
    ends_ = before_ = cover.ends_of(nothing);
    best_ = {.pages = std::move(nothing), .end = sum_of(before_), .before = sum_of(before_)};
    cheapest_ = best_.end * scope.instances;
    next_.resize(cover.regions());
    // What stays anyway may not be what serves best: the room for it counts like any other.
    if (const auto pages = cover.pages_for(ends_, layout.capacity())) used_ = count(*pages);
  }

  MinMax run() {
    while (true) {
      std::optional<std::size_t> best;
      for (std::size_t region = 0; region < steps_.size(); ++region) {
        if (!next_[region]) next_[region] = try_step(region);
        if (next_[region] && (!best || next_[region]->gain > next_[*best]->gain)) best = region;
      }
      if (!best) return std::move(best_);
      accept(*best);
    }
  }

 private:
  struct Step {
    Nanoseconds end;
    std::vector<std::uint64_t> pages;
    double gain = 0;  ///< time for each page more
  };

  static std::uint64_t count(std::span<const std::uint64_t> pages) {
    return std::accumulate(pages.begin(), pages.end(), std::uint64_t{0});
  }

  /// The next lower end of the region that fits, halving its step until it does; nothing if there is none.
  std::optional<Step> try_step(std::size_t region) {
    const Nanoseconds earliest = cover_.earliest()[region], way = before_[region] - earliest;
    for (double& step = steps_[region]; step >= last_step; step /= 2) {
      const Nanoseconds end = std::max(earliest, ends_[region] - way * step);
      if (!(end < ends_[region])) return std::nullopt;
      std::vector<Nanoseconds> ends = ends_;
      ends[region] = end;
      auto pages = cover_.pages_for(ends, layout_.capacity());
      if (!pages) continue;
      const double more = std::max(1.0, static_cast<double>(count(*pages)) - static_cast<double>(used_));
      return Step{end, std::move(*pages), (ends_[region] - end).value / more};
    }
    return std::nullopt;
  }

  void accept(std::size_t region) {
    Step step = std::move(*next_[region]);
    for (auto& next : next_) next.reset();  // of the other regions: their pages depend on what this one took
    ends_[region] = step.end;
    used_ = count(step.pages);
    layout_.keep(step.pages);
    const Nanoseconds end = sum_of(cover_.ends_of(step.pages));
    const Nanoseconds cost = end * scope_.instances + copy_cost_ * static_cast<double>(layout_.copies(step.pages));
    if (cost >= cheapest_) return;
    cheapest_ = cost;
    best_.pages = std::move(step.pages);
    best_.end = end;
  }

  const ScopeForecast& scope_;
  Cover& cover_;
  const Layout& layout_;
  Nanoseconds copy_cost_;
  std::vector<double> steps_;               // by region
  std::vector<Nanoseconds> before_, ends_;  // by region
  std::vector<std::optional<Step>> next_;   // by region
  std::uint64_t used_ = 0;                  // pages that the present ends need
  MinMax best_;
  Nanoseconds cheapest_;
};

}  // namespace

MinMax min_max(const ScopeForecast& scope, Cover& cover, const Layout& layout, Nanoseconds copy_cost) {
  return Descent(scope, cover, layout, copy_cost).run();
}

}  // namespace lbhm::placement
