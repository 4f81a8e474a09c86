// From the loops that a lane began to the patterns of each object.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "runtime/patterns/patterns.h"

namespace lbhm {
namespace {

bool alike(const AccessPattern& a, const AccessPattern& b) {
  const auto key = [](const AccessPattern& p) {
    return std::tie(p.kind, p.element, p.stride, p.dimensions, p.points, p.input_dependent, p.write);
  };
  return key(a) == key(b);
}

void add(ObjectPatterns& patterns, const AccessPattern& access, double executions) {
  auto known = std::find_if(patterns.begin(), patterns.end(), [&](const auto& each) { return alike(each, access); });
  if (known == patterns.end()) {
    known = patterns.insert(patterns.end(), access);
    known->weight = 0;
  }
  known->weight += executions;
}

void normalise(ObjectPatterns& patterns) {
  double sum = 0;
  for (const AccessPattern& pattern : patterns) sum += pattern.weight;
  for (AccessPattern& pattern : patterns)
    pattern.weight = sum > 0 ? pattern.weight / sum : 1.0 / static_cast<double>(patterns.size());
  std::sort(patterns.begin(), patterns.end(), [](const auto& a, const auto& b) {
    return std::tuple(-a.weight, a.kind, a.write, a.stride) < std::tuple(-b.weight, b.kind, b.write, b.stride);
  });
}

}  // namespace

std::vector<ObjectPatterns> merge_patterns(const PatternCatalog& catalog, std::span<const NotedBase> notes,
                                           std::size_t slots) {
  std::vector<ObjectPatterns> merged(slots);
  for (const NotedBase& note : notes) {
    const PatternBase* base = catalog.find(note.base);
    if (!base || note.slot.value >= slots) continue;
    const double begins = base->frequency > 0 ? base->frequency : 1;
    for (const AccessPattern& access : base->accesses)
      add(merged[note.slot.value], access, static_cast<double>(note.times) * access.weight / begins);
  }
  for (ObjectPatterns& patterns : merged) normalise(patterns);
  return merged;
}

std::string describe_patterns(const ObjectPatterns& patterns) {
  constexpr double least = 0.05;
  std::string text;
  std::vector<double> weights(pattern_names.size());
  for (const AccessPattern& pattern : patterns) weights[static_cast<std::size_t>(pattern.kind)] += pattern.weight;
  // Sums of the same weights in another order (that of modules, which is by their ids) differ in their last bits.
  for (double& weight : weights) weight = std::round(weight * 1e6) / 1e6;
  for (;;) {
    const auto most = std::max_element(weights.begin(), weights.end());
    if (*most < least) break;
    if (!text.empty()) text += '+';
    text += pattern_names[static_cast<std::size_t>(most - weights.begin())];
    *most = 0;
  }
  return text.empty() ? "unknown" : text;
}

}  // namespace lbhm
