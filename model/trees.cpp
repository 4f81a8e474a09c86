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

  bool goes_left(const TreeNode& split) const {
    const float x = row[split.column];
    return std::isnan(x) ? split.missing_goes_left : x < split.value;
  }

  /// Adds the leaves that the points [first, last) come to from the node `at` on. `first` < `last`.
  void add_leaves(std::uint32_t at, std::size_t first, std::size_t last) const {
    while (nodes[at].right != 0) {
      const TreeNode& split = nodes[at];
      bool left = false;
      if (split.column < row.size()) {
        left = goes_left(split);
      } else {
        std::size_t cut = first;
        while (cut < last && points[cut] < split.value) ++cut;
        left = cut == last;
        if (cut != first && cut != last) {
          add_leaves(at + 1, first, cut);
          first = cut;
        }
      }
      at = left ? at + 1 : split.right;
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
