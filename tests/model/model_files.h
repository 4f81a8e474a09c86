// A model file in the format of XGBoost 3.2 with trees small enough to predict by hand, and what can be wrong with it.
#pragma once

#include <nlohmann/json.hpp>

namespace lbhm {

/// Splits (IPC < 1.5, missing right), then r < 0.5 on the left; leaves in float32: 0.125, 0.25, -0.5.
inline nlohmann::json small_tree() {
  return {{"base_weights", {0, 0, 0, 0, 0}},
          {"default_left", {0, 0, 0, 0, 0}},
          {"left_children", {1, 3, -1, -1, -1}},
          {"right_children", {2, 4, -1, -1, -1}},
          {"split_conditions", {1.5, 0.5, -0.5, 0.125, 0.25}},
          {"split_indices", {0, 1, 0, 0, 0}},
          {"split_type", {0, 0, 0, 0, 0}},
          {"tree_param", {{"num_nodes", "5"}, {"num_feature", "2"}, {"size_leaf_vector", "1"}}}};
}

inline nlohmann::json small_model() {
  const nlohmann::json trees{
      {"gbtree_model_param", {{"num_parallel_tree", "1"}, {"num_trees", "1"}}},
      {"tree_info", {0}},
      {"trees", nlohmann::json::array({small_tree()})},
  };
  const nlohmann::json learner{
      {"feature_names", nlohmann::json::array()},
      {"gradient_booster", {{"model", trees}, {"name", "gbtree"}}},
      {"learner_model_param", {{"base_score", "[5E-1]"}, {"num_feature", "2"}, {"num_target", "1"}}},
      {"objective", {{"name", "reg:squarederror"}}},
  };
  return {{"schema", "lbhm.model/1"},
          {"machine", "optane"},
          {"machine_fingerprint", "0123456789abcdef"},
          {"features", {"IPC", "r_dram_acc"}},
          {"xgboost", {{"learner", learner}, {"version", {3, 2, 0}}}}};
}

}  // namespace lbhm
