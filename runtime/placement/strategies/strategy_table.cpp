// All allocation strategies, the default first. To add one: a file in this folder with
// `std::unique_ptr<AllocationStrategy> make_NAME()`, a line here, and its name in the setting
// (runtime/base/settings.cpp).
#include <algorithm>
#include <array>
#include <string>

#include "runtime/placement/strategies/strategies.h"

// clang-format off
#define LBHM_STRATEGIES(STRATEGY) \
  STRATEGY(traits, "traits", "By sensitivity, if the fastest memory would come first; groups stay together.") \
  STRATEGY(first_come, "first-come", "Descriptions decide nothing: as pages, while there is room.") \
  STRATEGY(described, "described", "What the program describes as traits; all else in the slowest memory.") \
  STRATEGY(patterns, "patterns", "As traits; without a sensitivity random patterns go by latency, others by bandwidth.")
// clang-format on

namespace lbhm {
namespace strategies {

#define LBHM_DECLARE(maker, name, sentence) std::unique_ptr<AllocationStrategy> make_##maker();
LBHM_STRATEGIES(LBHM_DECLARE)

}  // namespace strategies

namespace {

#define LBHM_ENTRY(maker, name, sentence) AllocationStrategyEntry{name, sentence, strategies::make_##maker},
constexpr std::array entries{LBHM_STRATEGIES(LBHM_ENTRY)};

}  // namespace

std::span<const AllocationStrategyEntry> allocation_strategies() { return entries; }

Result<std::unique_ptr<AllocationStrategy>> make_allocation_strategy(std::string_view name) {
  const auto entry = std::ranges::find(entries, name, &AllocationStrategyEntry::name);
  if (entry != entries.end()) return entry->make();
  std::string known;
  for (const AllocationStrategyEntry& each : entries) known += (known.empty() ? "" : ", ") + std::string(each.name);
  return failure(StatusCode::not_found,
                 "allocation strategy '" + std::string(name) + "' does not exist; choose one of " + known + ".");
}

}  // namespace lbhm
