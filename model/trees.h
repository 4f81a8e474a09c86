// An ensemble of regression trees as flat memory: what a trained f computes with, in microseconds and without XGBoost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace lbhm::model {

/// A leaf, or a split. The left child of a split is the next node; a tree stands in the order "node, left, right".
struct TreeNode {
  float value = 0;           ///< of a leaf; a split sends x < value to the left
  std::uint32_t right = 0;   ///< position in Trees::nodes; 0: this is a leaf
  std::uint16_t column = 0;  ///< that the split looks at
  bool missing_goes_left = false;
};

/// Predictions are equal to the bit to those of XGBoost 3 for objective reg:squarederror: sums in float32, from `base`
/// on, in the order of the trees.
struct Trees {
  float base = 0;
  std::vector<TreeNode> nodes;
  std::vector<std::uint32_t> roots;

  /// sums[i]: prediction of the row with the columns `row` and, as the last one, points[i]. A NaN in `row` is a missing
  /// value. `points` are numbers in ascending order, as many as `sums`. Each tree is walked once for all points: a
  /// split on the last column cuts them into those that go left and those that go right.
  void predict(std::span<const float> row, std::span<const float> points, std::span<float> sums) const;
};

}  // namespace lbhm::model
