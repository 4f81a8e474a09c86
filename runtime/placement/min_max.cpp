#include "runtime/placement/min_max.h"

#include <limits>
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
      : scope_(scope),
        cover_(cover),
        layout_(layout),
        copy_cost_(copy_cost),
        steps_(cover.regions() > 1 ? cover.regions() + 1 : 1, first_step) {
    std::vector<std::uint64_t> pages(layout.fast().size());
    layout.fill(cover.savings(), std::numeric_limits<double>::infinity(), pages);
    ends_ = before_ = cover.ends_of(pages);
    best_ = {.pages = pages, .end = sum_of(before_), .before = sum_of(before_)};
    cheapest_ = cost_of(pages, best_.end);
    consider(std::vector<std::uint64_t>(pages.size()));
    next_.resize(steps_.size());
    // What stays anyway may not be what serves best: the room for it counts like any other.
    if (const auto needed = cover.pages_for(ends_, layout.capacity())) used_ = count(*needed);
  }

  MinMax run() {
    while (true) {
      Step* best = nullptr;
      for (std::size_t way = 0; way < steps_.size(); ++way) {
        std::optional<Step>& next = next_[way];
        if (!next) next = try_step(way);
        if (next && (!best || next->gain > best->gain)) best = &*next;
      }
      if (!best) return std::move(best_);
      accept(std::move(*best));
    }
  }

 private:
  struct Step {
    std::vector<Nanoseconds> ends;  ///< by region
    std::vector<std::uint64_t> pages;
    double gain = 0;  ///< time for each page more
  };

  static std::uint64_t count(std::span<const std::uint64_t> pages) {
    return std::accumulate(pages.begin(), pages.end(), std::uint64_t{0});
  }

  /// The next state on a way that fits, halving its step until it does; nothing if there is none.
  std::optional<Step> try_step(std::size_t way) {
    double& step = steps_[way];
    while (step >= last_step) {
      std::vector<Nanoseconds> ends = ends_;
      for (std::size_t region = 0; region < ends.size(); ++region) {
        if (way < ends.size() && way != region) continue;
        const Nanoseconds earliest = cover_.earliest()[region];
        ends[region] = std::min(ends[region], std::max(earliest, ends[region] - (before_[region] - earliest) * step));
      }
      const Nanoseconds gain = sum_of(ends_) - sum_of(ends);
      if (!(gain.value > 0)) return std::nullopt;
      auto pages = cover_.pages_for(ends, layout_.capacity());
      if (pages) {
        const double more = std::max(1.0, static_cast<double>(count(*pages)) - static_cast<double>(used_));
        return Step{std::move(ends), std::move(*pages), gain.value / more};
      }
      step /= 2;
    }
    return std::nullopt;
  }

  void accept(Step step) {
    for (auto& next : next_) next.reset();  // of the other ways: their pages depend on what this one took
    ends_ = std::move(step.ends);
    used_ = count(step.pages);
    consider(std::move(step.pages));
  }

  /// Of the time of the regions as far as predictions are right, and of their tasks' mean time as far as they are not.
  Nanoseconds cost_of(std::span<const std::uint64_t> pages, Nanoseconds end) const {
    const double error = std::min(scope_.prediction_error, 1.0);
    return (end * (1 - error) + cover_.mean_of(pages) * error) * scope_.instances +
           copy_cost_ * static_cast<double>(layout_.copies(pages));
  }

  /// These pages, and what else is worth it: what a page saves all tasks together counts as far as predictions
  /// were wrong, for each of them as one of all; it costs two copies, as another one leaves.
  void consider(std::vector<std::uint64_t> pages) {
    const double chance =
        scope_.prediction_error / static_cast<double>(scope_.tasks.size()) * static_cast<double>(cover_.regions());
    const double worth = 2 * copy_cost_.value / scope_.instances / chance;
    layout_.fill(cover_.savings(), chance > 0 ? worth : std::numeric_limits<double>::infinity(), pages);
    const Nanoseconds end = sum_of(cover_.ends_of(pages));
    const Nanoseconds cost = cost_of(pages, end);
    if (cost >= cheapest_) return;
    cheapest_ = cost;
    best_.pages = std::move(pages);
    best_.end = end;
  }

  const ScopeForecast& scope_;
  Cover& cover_;
  const Layout& layout_;
  Nanoseconds copy_cost_;
  // A way down is to lower the end of one region, or, the last one, of all: pages that serve several regions are worth
  // their room only then.
  std::vector<double> steps_;               // by way
  std::vector<Nanoseconds> before_, ends_;  // by region
  std::vector<std::optional<Step>> next_;   // by way
  std::uint64_t used_ = 0;                  // pages that the present ends need
  MinMax best_;
  Nanoseconds cheapest_;
};

}  // namespace

MinMax min_max(const ScopeForecast& scope, Cover& cover, const Layout& layout, Nanoseconds copy_cost) {
  return Descent(scope, cover, layout, copy_cost).run();
}

}  // namespace lbhm::placement
