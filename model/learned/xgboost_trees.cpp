#include "model/learned/trees.h"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

namespace lbhm::model {
namespace {

/// One tree as the file has it: a list a property, one entry a node.
struct Columns {
  JsonAt at;
  std::vector<double> left, right, column, value, missing_goes_left;

  static Columns read(const JsonAt& tree, std::size_t nodes) {
    const auto numbers = [&](const char* key) { return tree[key].numbers(nodes); };
    for (const double type : numbers("split_type")) {
      if (type != 0) tree["split_type"].refuse("has a split by category; train with numbers only");
    }
    return {tree,
            numbers("left_children"),
            numbers("right_children"),
            numbers("split_indices"),
            numbers("split_conditions"),
            numbers("default_left")};
  }
};

/// Appends the nodes of one tree that can be reached; a pruned tree has others, too.
class Flattener {
 public:
  Flattener(const Columns& from, std::size_t columns, std::vector<TreeNode>& to)
      : from_(from), columns_(columns), to_(to), seen_(from.left.size()) {}

  void append(std::size_t node, std::size_t depth) {
    // A node with two parents would make a tree of few nodes endless.
    if (seen_[node]) from_.at.refuse("has a node with two parents");
    seen_[node] = true;
    if (to_.size() >= most_nodes) from_.at.refuse("has one node too many: " + std::to_string(most_nodes) + " at most");
    const std::size_t mine = to_.size();
    to_.push_back({.value = value_of(node)});
    if (from_.left[node] == -1 && from_.right[node] == -1) return;
    if (depth == most_depth) from_.at.refuse("is deeper than " + std::to_string(most_depth) + " splits");
    to_[mine].column = column_of(node);
    to_[mine].missing_goes_left = from_.missing_goes_left[node] != 0;
    append(child_of(node, from_.left, "left_children"), depth + 1);
    to_[mine].right = static_cast<std::uint32_t>(to_.size());
    append(child_of(node, from_.right, "right_children"), depth + 1);
  }

 private:
  /// XGBoost computes with single precision.
  float value_of(std::size_t node) const {
    const double value = from_.value[node];
    if (!(std::abs(value) <= std::numeric_limits<float>::max()))
      from_.at["split_conditions"].refuse("has an entry that is too large");
    return static_cast<float>(value);
  }

  std::uint16_t column_of(std::size_t node) const {
    const double column = from_.column[node];
    if (!(column >= 0 && column < static_cast<double>(columns_)) || column != std::floor(column))
      from_.at["split_indices"].refuse("names a column that is none of the features");
    return static_cast<std::uint16_t>(column);
  }

  std::size_t child_of(std::size_t node, const std::vector<double>& children, const char* key) const {
    const double child = children[node];
    const auto parent = static_cast<double>(node);
    if (!(child > parent && child < static_cast<double>(children.size())) || child != std::floor(child))
      from_.at[key].refuse("names a node that is not behind its parent");
    return static_cast<std::size_t>(child);
  }

  const Columns& from_;
  std::size_t columns_;
  std::vector<TreeNode>& to_;
  std::vector<bool> seen_;
};

/// XGBoost writes whole numbers of its parameters as texts.
std::size_t whole_text(const JsonAt& at, std::size_t most) {
  const std::string& digits = at.text();
  if (digits.empty() || digits.size() > 18 || digits.find_first_not_of("0123456789") != std::string::npos)
    at.refuse("is no whole number");
  const std::size_t number = std::stoull(digits);
  if (number > most) at.refuse(text_of("is ", digits, "; there may be ", most, " at most"));
  return number;
}

/// "5E-1", in newer versions of XGBoost "[5E-1]"; a number is understood, too.
float read_base(const JsonAt& score) {
  constexpr double most = std::numeric_limits<float>::max();
  if (score.is_number()) return static_cast<float>(score.number(-most, most));
  std::string_view text = score.text();
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  float base = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), base);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(base)) score.refuse("is no number");
  return base;
}

void append_tree(const JsonAt& tree, std::size_t columns, Trees& trees) {
  const JsonAt shape = tree["tree_param"];
  if (shape.has("size_leaf_vector") && whole_text(shape["size_leaf_vector"], 1u << 20) > 1)
    shape["size_leaf_vector"].refuse("is above 1: train for one target");
  const std::size_t nodes = whole_text(shape["num_nodes"], most_nodes);
  if (nodes == 0) shape["num_nodes"].refuse("is 0");
  trees.roots.push_back(static_cast<std::uint32_t>(trees.nodes.size()));
  Flattener(Columns::read(tree, nodes), columns, trees.nodes).append(0, 0);
}

}  // namespace

Trees read_trees(const JsonAt& booster, std::size_t columns) {
  const JsonAt learner = booster["learner"];
  learner["objective"]["name"].must_be("reg:squarederror");
  const JsonAt parameters = learner["learner_model_param"];
  if (whole_text(parameters["num_feature"], 1u << 16) != columns)
    parameters["num_feature"].refuse("is " + parameters["num_feature"].text() + ", but 'features' lists " +
                                     std::to_string(columns));
  if (parameters.has("num_target")) parameters["num_target"].must_be("1");
  learner["gradient_booster"]["name"].must_be("gbtree");
  const JsonAt model = learner["gradient_booster"]["model"];
  if (model["gbtree_model_param"].has("num_parallel_tree"))
    model["gbtree_model_param"]["num_parallel_tree"].must_be("1");
  Trees trees{.base = read_base(parameters["base_score"]), .nodes = {}, .roots = {}};
  for (const JsonAt& tree : model["trees"].list(1, most_trees)) append_tree(tree, columns, trees);
  for (const double group : model["tree_info"].numbers(trees.roots.size())) {
    if (group != 0) model["tree_info"].refuse("speaks of more than one target");
  }
  return trees;
}

}  // namespace lbhm::model
