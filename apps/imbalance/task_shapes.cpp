#include "apps/imbalance/task_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <span>
#include <utility>

#include "apps/common/random_graphs.h"

namespace imbalance {
namespace {

constexpr std::uint64_t page_bytes = 4096;
constexpr unsigned heavy_every = 3;  // every third task
constexpr unsigned max_skew = 4;     // the hottest tenth of the pages then has 56 % of the loads
constexpr std::uint64_t least_loads = 16;

// What tasks may be by limit; plain programs take the first ones in turn.
constexpr std::array latency_patterns{Pattern::chase};
constexpr std::array bandwidth_patterns{Pattern::gather, Pattern::stream, Pattern::stride};
constexpr std::array mixed_patterns{Pattern::chase, Pattern::gather, Pattern::both, Pattern::stream, Pattern::stride};

std::span<const Pattern> patterns_of(const Options& options) {
  if (options.limit == Limit::latency) return latency_patterns;
  if (options.limit == Limit::bandwidth) return std::span(bandwidth_patterns).first(options.plain ? 1 : 3);
  return std::span(mixed_patterns).first(options.plain ? 2 : 5);
}

/// Which tasks are heavy, in what pattern, how skewed and how large: all that chance decides.
std::vector<Shape> draw(const Options& options, std::vector<double>& size_factors) {
  std::mt19937_64 random(options.seed);
  const std::span<const Pattern> patterns = patterns_of(options);
  const double heavy = std::max(options.imbalance, 1.0);
  std::vector<Shape> shapes(options.tasks);
  size_factors.assign(options.tasks, 1.0);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].weight = i % heavy_every == 0 ? heavy : 1;
    shapes[i].pattern = patterns[i % patterns.size()];
    if (options.plain) continue;
    shapes[i].pattern = patterns[apps::draw_below(random, patterns.size())];
    shapes[i].skew = 1 + static_cast<unsigned>(apps::draw_below(random, max_skew));
    size_factors[i] = std::exp2(apps::draw_unit(random) - 0.5);  // 0.7 to 1.4
  }
  if (!options.plain) {  // the heavy ones are any of the tasks
    const auto order = apps::random_permutation(options.tasks, random);
    for (std::size_t i = 0; i < shapes.size(); ++i) shapes[i].weight = order[i] % heavy_every == 0 ? heavy : 1;
  }
  return shapes;
}

/// The more skewed tasks have hotter pages, too: with an alignment they are the heavy ones, or the light ones.
void align_skews(std::vector<Shape>& shapes, double alignment) {
  if (alignment == 0) return;
  std::vector<unsigned> skews;
  std::vector<std::size_t> order;
  for (const Shape& shape : shapes) {
    order.push_back(skews.size());
    skews.push_back(shape.skew);
  }
  std::ranges::sort(skews, std::greater());
  const double first = alignment > 0 ? -1 : 1;
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(first * shapes[i].weight, i); });
  for (std::size_t i = 0; i < order.size(); ++i) shapes[order[i]].skew = skews[i];
}

std::uint64_t whole_stripes(double pages) {
  return std::max<std::uint64_t>(1, std::llround(pages / static_cast<double>(page_stripes))) * page_stripes;
}

}  // namespace

const char* name_of(Pattern pattern) {
  constexpr std::array names{"chase", "gather", "both", "stream", "stride"};
  return names.at(static_cast<std::size_t>(pattern));
}

unsigned loads_at_once(Pattern pattern) {
  switch (pattern) {
    case Pattern::chase:
      return 1;
    case Pattern::both:
      return 2;
    case Pattern::gather:
    case Pattern::stride:
      return 3;
    case Pattern::stream:
      return 10;
  }
  return 1;
}

std::vector<Shape> draw_shapes(const Options& options) {
  std::vector<double> size_factors;
  std::vector<Shape> shapes = draw(options, size_factors);
  align_skews(shapes, options.alignment);
  const auto rate = [](const Shape& shape) { return shape.weight * loads_at_once(shape.pattern); };
  const auto size = [&](std::size_t i) {
    return rate(shapes[i]) * std::pow(shapes[i].weight, -options.alignment) * size_factors[i];
  };
  double rates = 0;
  double sizes = 0;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    rates += rate(shapes[i]);
    sizes += size(i);
  }
  const double loads = 1000.0 * static_cast<double>(options.thousand_loads);
  const double pages = static_cast<double>(options.mebibytes << 20U) / page_bytes;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    shapes[i].loads = std::max<std::uint64_t>(least_loads, std::llround(loads * rate(shapes[i]) / rates));
    shapes[i].pages = whole_stripes(pages * size(i) / sizes);
  }
  return shapes;
}

std::vector<Shape> shapes_of_round(const std::vector<Shape>& drawn, const Options& options, unsigned round) {
  std::vector<Shape> shapes = drawn;
  if (options.vary == 0 || round == 0) return shapes;
  std::mt19937_64 random(apps::mix(options.seed) + round);
  for (Shape& shape : shapes) {
    const double factor = std::pow(1 + options.vary, 2 * apps::draw_unit(random) - 1);
    shape.loads = std::max<std::uint64_t>(least_loads, std::llround(static_cast<double>(shape.loads) * factor));
    shape.pages = whole_stripes(static_cast<double>(shape.pages) * factor);
  }
  return shapes;
}

}  // namespace imbalance
