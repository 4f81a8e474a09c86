// Part of the door of runtime/placement: where new objects begin of which neither the program nor the policy says it.
//
// H2M (CLUSTER '24, section III-A): prescriptive traits name a memory; descriptive ones are hints that an allocation
// strategy interprets. One strategy a file in strategies/, one line each in strategies/strategy_table.cpp.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"

namespace lbhm {

/// Contract: calls come one at a time, in the order of births. Nothing throws but std::bad_alloc.
class AllocationStrategy {
 public:
  virtual ~AllocationStrategy() = default;
  /// Called for every new object, also for those whose place is decided: groups follow them. `mapped`: its whole pages;
  /// `pages_begin`: the tier in which pages begin that nobody decides about. no_tier: there.
  virtual TierId begin(const Object& object, Bytes mapped, TierId pages_begin, MachineMemory& machine) = 0;
};

struct AllocationStrategyEntry {
  std::string_view name;
  std::string_view sentence;
  std::unique_ptr<AllocationStrategy> (*make)();
};

/// All of them, the default first.
std::span<const AllocationStrategyEntry> allocation_strategies();
/// Errors: not_found.
Result<std::unique_ptr<AllocationStrategy>> make_allocation_strategy(std::string_view name);

}  // namespace lbhm
