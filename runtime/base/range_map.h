// Values by range of addresses or page numbers. Ranges do not overlap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <utility>

namespace lbhm {

/// A range is [begin, end), so the last number of all is in none; what is asked for or set may be empty. Costs are
/// those of a std::map with one entry a range. Where memory is short (std::bad_alloc) each number keeps its value.
template <class T, template <class> class Allocator = std::allocator>
class RangeMap {
 public:
  struct Range {
    std::uint64_t end = 0;
    T value{};
  };

 private:
  using Ranges = std::map<std::uint64_t, Range, std::less<>, Allocator<std::pair<const std::uint64_t, Range>>>;

 public:
  using iterator = typename Ranges::iterator;
  using const_iterator = typename Ranges::const_iterator;
  using node_type = typename Ranges::node_type;

  // By begin: `first` is a range's begin, `second` its end and its value.
  iterator begin() { return ranges_.begin(); }
  iterator end() { return ranges_.end(); }
  const_iterator begin() const { return ranges_.begin(); }
  const_iterator end() const { return ranges_.end(); }
  bool empty() const { return ranges_.empty(); }
  std::size_t size() const { return ranges_.size(); }
  void clear() { ranges_.clear(); }

  /// The first range that ends behind `at`: the one that holds it, or the next one; or end().
  iterator from(std::uint64_t at) { return from(ranges_, at); }
  const_iterator from(std::uint64_t at) const { return from(ranges_, at); }
  /// The range that holds `at`, or end().
  iterator find(std::uint64_t at) { return holding(ranges_, at); }
  const_iterator find(std::uint64_t at) const { return holding(ranges_, at); }
  bool holds(std::uint64_t at) const { return find(at) != end(); }
  /// The range that begins there, or end().
  iterator starting(std::uint64_t begin) { return ranges_.find(begin); }
  const_iterator starting(std::uint64_t begin) const { return ranges_.find(begin); }

  /// Calls visit(begin, end, value) for each part of [begin, end) that has a value, in order.
  template <class Visit>
  void visit(std::uint64_t begin, std::uint64_t end, Visit visit) const {
    for (auto at = from(begin); at != ranges_.end() && at->first < end; ++at)
      visit(std::max(begin, at->first), std::min(end, at->second.end), at->second.value);
  }

  /// Afterwards no range reaches across `at`.
  void split(std::uint64_t at) {
    const auto range = find(at);
    if (range == ranges_.end() || range->first == at) return;
    ranges_.emplace_hint(std::next(range), at, range->second);
    range->second.end = at;
  }
  /// [begin, end) has no value any more. Of ranges that reach beyond it the rest stays.
  void cut(std::uint64_t begin, std::uint64_t end) {
    if (begin >= end) return;
    split(begin);
    split(end);
    ranges_.erase(ranges_.lower_bound(begin), ranges_.lower_bound(end));
  }
  /// Ranges that share anything with [begin, end) go as wholes.
  void drop(std::uint64_t begin, std::uint64_t end) {
    for (auto at = from(begin); at != ranges_.end() && at->first < end;) at = ranges_.erase(at);
  }
  /// One range with this value, in place of what was there.
  void set(std::uint64_t begin, std::uint64_t end, T value) {
    if (begin >= end) return;
    auto range = made(begin, end, std::move(value));
    cut(begin, end);
    insert(std::move(range));
  }
  /// The same, and neighbours with an equal value become one range with it.
  void join(std::uint64_t begin, std::uint64_t end, T value) {
    if (begin >= end) return;
    auto range = made(begin, end, std::move(value));
    Range& joined = range.mapped();
    cut(begin, end);
    const auto after = ranges_.find(end);
    if (after != ranges_.end() && after->second.value == joined.value) {
      joined.end = after->second.end;
      ranges_.erase(after);
    }
    const auto before = begin > 0 ? find(begin - 1) : ranges_.end();
    if (before != ranges_.end() && before->second.value == joined.value)
      before->second.end = joined.end;
    else
      insert(std::move(range));
  }
  iterator erase(const_iterator range) { return ranges_.erase(range); }

  // Where memory is not to be asked for under a lock: a range that is made before, and one that is given back after.
  static node_type made(std::uint64_t begin, std::uint64_t end, T value) {
    Ranges one;
    one.emplace(begin, Range{end, std::move(value)});
    return one.extract(one.begin());
  }
  /// There is nothing in it yet.
  T& insert(node_type range) { return ranges_.insert(std::move(range)).position->second.value; }
  /// Empty if no range begins there.
  node_type extract(std::uint64_t begin) { return ranges_.extract(begin); }

 private:
  static auto from(auto& ranges, std::uint64_t at) {
    const auto behind = ranges.upper_bound(at);
    if (behind == ranges.begin()) return behind;
    const auto before = std::prev(behind);
    return before->second.end > at ? before : behind;
  }
  static auto holding(auto& ranges, std::uint64_t at) {
    const auto range = from(ranges, at);
    return range != ranges.end() && range->first <= at ? range : ranges.end();
  }
  Ranges ranges_;
};

}  // namespace lbhm
