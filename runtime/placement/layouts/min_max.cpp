#include "runtime/placement/layouts/min_max.h"

#include <limits>
#include <numeric>
#include <optional>

namespace lbhm::placement {
namespace {

/// Of the way from a region's end without copies to its earliest one.
constexpr double first_step = 1.0 / 16, last_step = 1.0 / 256;

Nanoseconds sum_of(std::span<const Nanoseconds> ends) {
  return std::accumulate(ends.begin(), ends.end(), Nanoseconds(0));
}

class Descent {
 public:
  Descent(const PhaseForecast& phase, Cover& cover, const Layout& layout, Nanoseconds copy_cost,
          std::uint64_t most_looks)
      : phase_(phase),
        cover_(cover),
        layout_(layout),
        copy_cost_(copy_cost),
        most_looks_(most_looks),
        steps_(cover.regions() > 1 ? cover.regions() + 1 : 1, first_step) {
    Chosen uncopied = cover.nothing();
    fill(cover, layout, std::numeric_limits<double>::infinity(), uncopied);
    ends_ = before_ = cover.ends_of(uncopied);
    const Nanoseconds end = sum_of(before_);
    cheapest_ = cost_of(uncopied, end);
    best_ = {.chosen = std::move(uncopied), .end = end, .before = end};
    consider(cover.nothing());
    next_.resize(steps_.size());
    // What stays anyway may not be what serves best: the room for it counts like any other.
    if (const auto needed = cover.pages_for(ends_, layout.capacity())) used_ = needed->count;
  }

  MinMax run() {
    while (true) {
      Step* best = nullptr;
      for (std::size_t way = 0; way < steps_.size(); ++way) {
        if (cover_.looks() >= most_looks_) return std::move(best_);
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
    Chosen chosen;
    double gain = 0;  ///< time for each page more
  };

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
      if (auto chosen = cover_.pages_for(ends, layout_.capacity())) {
        const double more = std::max(1.0, static_cast<double>(chosen->count) - static_cast<double>(used_));
        return Step{std::move(ends), std::move(*chosen), gain.value / more};
      }
      step /= 2;
    }
    return std::nullopt;
  }

  void accept(Step step) {
    for (auto& next : next_) next.reset();  // of the other ways: their pages depend on what this one took
    ends_ = std::move(step.ends);
    used_ = step.chosen.count;
    consider(std::move(step.chosen));
  }

  /// Of the time of the regions as far as predictions are right, and of their tasks' mean time as far as they are not.
  Nanoseconds cost_of(const Chosen& chosen, Nanoseconds end) const {
    const double error = std::min(phase_.prediction_error, 1.0);
    return (end * (1 - error) + cover_.mean_of(chosen) * error) * phase_.instances +
           copy_cost_ * static_cast<double>(layout_.copies(chosen.pages));
  }

  /// These pages, and what else is worth it: what a page saves all tasks together counts as far as predictions
  /// were wrong, for each of them as one of all; it costs two copies, as another one leaves.
  void consider(Chosen chosen) {
    const double chance =
        phase_.prediction_error / static_cast<double>(phase_.tasks.size()) * static_cast<double>(cover_.regions());
    const double worth = 2 * copy_cost_.value / phase_.instances / chance;
    fill(cover_, layout_, chance > 0 ? worth : std::numeric_limits<double>::infinity(), chosen);
    const Nanoseconds end = sum_of(cover_.ends_of(chosen));
    const Nanoseconds cost = cost_of(chosen, end);
    if (cost >= cheapest_) return;
    cheapest_ = cost;
    best_.chosen = std::move(chosen);
    best_.end = end;
  }

  const PhaseForecast& phase_;
  Cover& cover_;
  const Layout& layout_;
  Nanoseconds copy_cost_;
  std::uint64_t most_looks_;
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

void fill(const Cover& cover, const Layout& layout, double worth_copying, Chosen& chosen) {
  for (const std::size_t run : cover.by_savings()) {
    if (chosen.count == layout.capacity()) return;
    const std::uint64_t wanted = cover.savings()[run] > worth_copying ? cover.run(run).pages : layout.uncopied(run);
    if (wanted <= chosen.pages[run]) continue;
    cover.add(run, std::min(layout.capacity() - chosen.count, wanted - chosen.pages[run]), chosen);
  }
}

MinMax min_max(const PhaseForecast& phase, Cover& cover, const Layout& layout, Nanoseconds copy_cost,
               std::uint64_t most_looks) {
  return Descent(phase, cover, layout, copy_cost, most_looks).run();
}

}  // namespace lbhm::placement
