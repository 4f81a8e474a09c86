// XGBoost's own JSON (Booster.save_model, save_raw("json")) as flat trees.
#pragma once

#include <cstddef>

#include "model/trees.h"
#include "runtime/base/json.h"

namespace lbhm::model {

inline constexpr std::size_t most_trees = 10'000;
inline constexpr std::size_t most_nodes = 1u << 20;  ///< of all trees together
inline constexpr std::size_t most_depth = 256;       ///< splits from a root to a leaf

/// Trees over `columns` columns. Only what predicts as Trees does is read: booster gbtree, objective reg:squarederror,
/// one target, one tree a round, no categories.
Trees read_trees(const JsonAt& booster, std::size_t columns);

}  // namespace lbhm::model
