// Exact 0/1 knapsack: dynamic programming over a core of items around the break item, which grows only as far as upper
// bounds demand. After D. Pisinger, "A Minimal Algorithm for the 0-1 Knapsack Problem", Operations Research 45 (1997).
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

#include "runtime/placement/choose/choose.h"

namespace lbhm::choose {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// A packing of the core: all items before it are in, all behind it are out.
struct State {
  std::uint64_t weight = 0;
  double value = 0;
  std::uint32_t node = 0;  // of the changes that led here
};

class Core {
 public:
  /// `items`: by value per weight, the best first; each fits, not all of them do.
  Core(std::span<const Item> items, std::uint64_t capacity, std::size_t most_states)
      : items_(items), capacity_(capacity), most_states_(most_states) {
    State begin;
    while (begin.weight + items_[break_].weight <= capacity_) add(begin, items_[break_++]);
    first_ = behind_ = break_;
    states_ = {begin};
    best_ = begin;
    rest_ = static_cast<double>(capacity_ - begin.weight) * efficiency(break_);
    break_value_ = begin.value;
  }

  void solve() {
    while (!states_.empty() && (first_ > 0 || behind_ < items_.size()) && nodes_.size() < most_states_) {
      if (behind_ < items_.size()) put_in(behind_++);
      if (first_ > 0) take_out(--first_);
    }
    for (const State& state : states_) bound_ = std::max(bound_, bound_of(state));
  }

  bool taken(std::size_t item) const { return taken_[item]; }
  double value() const { return best_.value; }
  double bound() const { return std::max(bound_, best_.value); }

  void trace() {
    taken_.assign(items_.size(), false);
    std::fill_n(taken_.begin(), break_, true);
    for (std::uint32_t node = best_.node; node != 0; node = nodes_[node - 1].before)
      taken_[nodes_[node - 1].item] = nodes_[node - 1].item >= break_;
  }

 private:
  struct Node {
    std::uint32_t before;  // 0: none
    std::uint32_t item;    // in, if it is not before the break item, else out
  };

  static void add(State& state, const Item& item) {
    state.weight += item.weight;
    state.value += item.value;
  }
  double efficiency(std::size_t item) const {
    return item < items_.size() ? items_[item].value / static_cast<double>(items_[item].weight) : 0;
  }
  /// What packings from this state on are worth at most: the next item behind fills what is left, the next item before
  /// gives back what is too much.
  double bound_of(const State& state) const {
    if (state.weight <= capacity_)
      return state.value + static_cast<double>(capacity_ - state.weight) * efficiency(behind_);
    return first_ > 0 ? state.value - static_cast<double>(state.weight - capacity_) * efficiency(first_ - 1)
                      : -infinity;
  }
  /// Any packing with this item changed from what the break solution has is worth at most that.
  bool hopeless(std::size_t item) const {
    const double loss = items_[item].value - static_cast<double>(items_[item].weight) * efficiency(break_);
    return break_value_ + rest_ - std::abs(loss) <= best_.value;
  }
  void put_in(std::size_t item) {
    if (hopeless(item)) return prune();
    merge(item, [&](State& state) { add(state, items_[item]); }, /*change_is_heavier=*/true);
  }
  void take_out(std::size_t item) {
    if (hopeless(item)) return prune();
    merge(
        item,
        [&](State& state) {
          state.weight -= items_[item].weight;
          state.value -= items_[item].value;
        },
        false);
  }

  /// Bounds become tighter as the core grows.
  void prune() {
    std::erase_if(states_, [&](const State& state) { return bound_of(state) <= best_.value; });
  }

  /// The states without and with the change, by weight; of two the heavier one only if it is worth more.
  template <class Change>
  void merge(std::size_t item, Change change, bool change_is_heavier) {
    changed_ = states_;
    for (State& state : changed_) change(state);
    for (const State& state : changed_)
      if (state.weight <= capacity_ && state.value > best_.value) {
        best_ = state;
        best_.node = node_of(state, item);
      }
    merged_.clear();
    auto kept = states_.begin(), changed = changed_.begin();
    while (kept != states_.end() || changed != changed_.end()) {
      const bool take_kept = changed == changed_.end() ||
                             (kept != states_.end() && (kept->weight < changed->weight ||
                                                        (kept->weight == changed->weight && change_is_heavier)));
      State next = take_kept ? *kept++ : *changed++;
      if (!merged_.empty() && next.value <= merged_.back().value) continue;
      if (bound_of(next) <= best_.value) continue;
      if (!take_kept) next.node = node_of(next, item);
      if (!merged_.empty() && merged_.back().weight == next.weight)
        merged_.back() = next;
      else
        merged_.push_back(next);
    }
    states_.swap(merged_);
  }

  std::uint32_t node_of(const State& before, std::size_t item) {
    nodes_.push_back({before.node, static_cast<std::uint32_t>(item)});
    return static_cast<std::uint32_t>(nodes_.size());
  }

  std::span<const Item> items_;
  std::uint64_t capacity_;
  std::size_t most_states_;
  std::size_t break_ = 0, first_ = 0, behind_ = 0;  // the core is [first_, behind_)
  double break_value_ = 0, rest_ = 0;               // with the break item's part that fits: the linear optimum
  double bound_ = -infinity;
  State best_;
  std::vector<State> states_, changed_, merged_;
  std::vector<Node> nodes_;
  std::vector<bool> taken_;
};

}  // namespace

Packed knapsack(std::span<const Item> items, std::uint64_t capacity, std::size_t most_states) {
  Packed packed{.taken = std::vector<bool>(items.size())};
  std::vector<std::size_t> order;  // of the items that there is a choice about
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (!(items[i].value > 0) || items[i].weight > capacity) continue;
    if (items[i].weight == 0) {
      packed.taken[i] = true;
    } else {
      order.push_back(i);
      weight += items[i].weight;
    }
  }
  double missing = 0;  // what a proof would have to rule out
  if (weight <= capacity) {
    for (const std::size_t i : order) packed.taken[i] = true;
  } else {
    std::ranges::sort(
        order, {}, [&](std::size_t i) { return std::pair(-items[i].value / static_cast<double>(items[i].weight), i); });
    std::vector<Item> sorted;
    for (const std::size_t i : order) sorted.push_back(items[i]);
    Core core(sorted, capacity, most_states);
    core.solve();
    core.trace();
    missing = core.bound() - core.value();
    for (std::size_t k = 0; k < order.size(); ++k) packed.taken[order[k]] = core.taken(k);
  }
  for (std::size_t i = 0; i < items.size(); ++i) packed.value += packed.taken[i] ? items[i].value : 0;
  packed.bound = packed.value + missing;
  return packed;
}

}  // namespace lbhm::choose
