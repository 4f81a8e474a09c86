// A stand-in for the engine: objects come from aligned malloc, and tests can look at what was asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "runtime/base/values.h"

namespace lbhm::engine_double {

/// What the last allocate_object was asked for.
struct LastObject {
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 0;
  bool migratable = false;
  int tier_hint = 0;
  bool exact = false;
  Sensitivity sensitivity = Sensitivity::none;
  std::optional<std::uint32_t> group;
  std::string name;
};

LastObject last_object();
/// Objects allocated and not yet released.
std::size_t live_objects();
/// allocate_block has memory in this tier only; -1, as in the beginning: in none.
void blocks_in_tier(int tier);
/// Blocks allocated and not yet released.
std::size_t live_blocks();
/// While true, allocate_object has no memory.
void refuse_objects(bool refuse);

}  // namespace lbhm::engine_double
