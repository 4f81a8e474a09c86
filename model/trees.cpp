#include "model/trees.h"

#include <algorithm>
#include <cmath>

namespace lbhm::model {
namespace {

struct Walk {
  const TreeNode* nodes;
  std::span<const float> row;
  std::span<const float> points;
  std::span<float> sums;

  /// The next node of the way down. Which one it is nobody can guess, so nothing here is a branch.
  std::uint32_t child(const TreeNode& split, std::uint32_t at) const {
    const float x = row[split.column];
    const bool left = (x < split.value) | (std::isnan(x) & split.missing_goes_left);
    return left ? at + 1 : split.right;
  }

  /// Adds the leaves that the points [first, last) come to from the node `at` on. `first` < `last`.
  void add_leaves(std::uint32_t at, std::size_t first, std::size_t last) const {
    while (nodes[at].right != 0) {
      const TreeNode& split = nodes[at];
      if (split.column < row.size()) {
        at = child(split, at);
        continue;
      }
      std::size_t cut = first;
      while (cut < last && points[cut] < split.value) ++cut;
      if (cut != first && cut != last) {
        add_leaves(at + 1, first, cut);
        first = cut;
      }
      at = cut == last ? at + 1 : split.right;
    }
    for (std::size_t i = first; i < last; ++i) sums[i] += nodes[at].value;
  }
};

}  // namespace

void Trees::predict(std::span<const float> row, std::span<const float> points, std::span<float> sums) const {
  std::ranges::fill(sums, base);
  if (points.empty()) return;
  const Walk walk{nodes.data(), row, points, sums};
  for (const std::uint32_t root : roots) walk.add_leaves(root, 0, points.size());
}

}  // namespace lbhm::model
