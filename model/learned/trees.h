// An ensemble of regression trees as flat memory: what a trained f computes with, in microseconds and without XGBoost.
//
// A correlation function f of Eq. 2 that was trained (section 5.1 of the paper): a gradient-boosted regressor.
//
// XGBoost's own JSON (Booster.save_model, save_raw("json")) as flat trees.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/learned/learned.h"
#include "model/model.h"
#include "runtime/base/json.h"

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

/// What the trees of a model say: f, or (f - 1) / r, so that f is 1 where nothing is in fast memory.
enum class Target : std::uint8_t { f, slope };

class TrainedCorrelation final : public Correlation {
 public:
  /// `features`: position in CorrelationFeatures by column of the trees; their last column is r. `fast_time`: of the
  /// logarithm of fast_time(); r is 1 there. No trees: nothing is known.
  TrainedCorrelation(std::string name, std::vector<std::size_t> features, Target target, Trees trees, Trees fast_time)
      : name_(std::move(name)),
        features_(std::move(features)),
        target_(target),
        trees_(std::move(trees)),
        fast_time_(std::move(fast_time)) {}

  std::string_view name() const override { return name_; }
  void evaluate(const CorrelationFeatures& features, const HomogeneousTimes& times,
                std::span<double, TaskTimes::points> f) const override;
  double fast_time(const CorrelationFeatures& features) const override;

  const Trees& trees() const { return trees_; }
  const Trees& fast_time_trees() const { return fast_time_; }

 private:
  std::string name_;
  std::vector<std::size_t> features_;
  Target target_;
  Trees trees_, fast_time_;
};

inline constexpr std::size_t most_trees = 10'000;
inline constexpr std::size_t most_nodes = 1u << 20;  ///< of all trees together
inline constexpr std::size_t most_depth = 256;       ///< splits from a root to a leaf

/// Trees over `columns` columns. Only what predicts as Trees does is read: booster gbtree, objective reg:squarederror,
/// one target, one tree a round, no categories.
Trees read_trees(const JsonAt& booster, std::size_t columns);

}  // namespace lbhm::model
