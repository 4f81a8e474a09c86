// How many main-memory accesses a stencil makes on an object of some size, from the microbenchmark: section 4 of the
// paper, input-independent stencils.
//
// alpha of Eq. 1 from the access patterns of an object: section 4 of the paper.
//
// Cache lines that a walk with a constant step touches: section 4 of the paper, stream and strided patterns. The paper
// enumerates strides and data types offline. Where the elements lie in their lines repeats after line / gcd(stride,
// line) elements, so one such period is enumerated and the rest is arithmetic.
//
// How many accesses to expect for objects of another size: section 4 of the paper, Eq. 1.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

bool complete(const StencilRow& row) {
  return row.points > 0 && row.element.value > 0 && row.object.value > 0 && std::isfinite(row.accesses_per_element) &&
         row.accesses_per_element > 0;
}

/// How unlike the stencil of a row is: logarithms of how many times more points, and larger elements.
double distance(const StencilRow& row, const AccessPattern& stencil) {
  const double points = std::max(1.0, static_cast<double>(stencil.points));
  const double element = std::max(1.0, static_cast<double>(stencil.element.value));
  return std::abs(std::log(row.points / points)) + std::abs(std::log(static_cast<double>(row.element.value) / element));
}

/// The rows of the measured stencil that is most like this one, by size.
std::vector<StencilRow> most_similar(std::span<const StencilRow> rows, const AccessPattern& stencil) {
  std::vector<StencilRow> like;
  for (const StencilRow& row : rows) {
    if (row.dimensions == stencil.dimensions && complete(row)) like.push_back(row);
  }
  const auto shape = [&](const StencilRow& row) { return std::tuple(distance(row, stencil), row.points, row.element); };
  const auto nearest = std::ranges::min_element(like, {}, shape);
  if (nearest == like.end()) return like;
  std::erase_if(like, [&, chosen = shape(*nearest)](const StencilRow& row) { return shape(row) != chosen; });
  std::ranges::sort(like, {}, &StencilRow::object);
  return like;
}

double lines_of(Bytes object, Bytes line) { return static_cast<double>(lines_touched(object, Bytes(1), 1, line)); }

/// Elements of the object, its size rounded up to whole lines, times the accesses of one.
std::optional<double> stencil_accesses(const AccessPattern& pattern, Bytes object, Bytes line,
                                       const StencilTable& stencils) {
  const std::optional<double> each = stencils.accesses_per_element(pattern, object);
  if (pattern.input_dependent || !each || pattern.element.value == 0) return std::nullopt;
  return *each * lines_of(object, line) * (line / pattern.element);
}

/// Lines of the first `elements` elements, none past line `end`. The stride is longer than a line and an element.
std::uint64_t enumerate(std::uint64_t elements, std::uint64_t element, std::uint64_t stride, std::uint64_t line,
                        std::uint64_t end) {
  std::uint64_t touched = 0, next = 0;  // next: one behind the last line that was touched
  for (std::uint64_t i = 0; i < elements; ++i) {
    const std::uint64_t first = std::max(next, i * stride / line);
    next = std::max(first, std::min(end, (i * stride + element - 1) / line + 1));
    touched += next - first;
  }
  return touched;
}

/// How the pages of a base object correspond to those of the new one: both are cut into the same number of runs of
/// equal length. There are never more runs than pages in either object, so no run is empty, and the runs cover every
/// page of both objects exactly once.
struct Runs {
  std::uint64_t base_pages;
  std::uint64_t new_pages;
  std::uint64_t count;

  /// First page of run k is ceil(k * pages / count), which is where of() changes from k - 1 to k.
  std::uint64_t first(std::uint64_t k) const { return (k * new_pages + count - 1) / count; }
  /// Run of a base page. A page past the end belongs to an object that does not begin on a page.
  std::uint64_t of(PageIndex page) const { return std::min(page.value, base_pages - 1) * count / base_pages; }
  /// First base page behind run k.
  PageIndex base_end(std::uint64_t k) const {
    return k + 1 < count ? PageIndex(((k + 1) * base_pages + count - 1) / count)
                         : PageIndex(std::numeric_limits<std::uint64_t>::max());
  }
};

std::uint64_t pages_of(Bytes bytes, Bytes page) {
  return page.value == 0 ? 0 : bytes.value / page.value + (bytes.value % page.value != 0);
}

/// Appends the extents of one object. `pages` are the counts of this object only, sorted.
void append_extents(std::span<const PageCount> pages, const Runs& runs, double growth,
                    std::vector<ExtentEstimate>& out) {
  for (std::size_t i = 0; i < pages.size();) {
    const std::uint64_t run = runs.of(pages[i].page);
    const PageIndex end = runs.base_end(run);  // two divisions a run, not one a page: there are many pages
    double sum = 0;
    for (; i < pages.size() && pages[i].page < end; ++i) sum += model::amount(pages[i].count.value);
    const double expected = model::amount(sum * growth);
    if (expected == 0) continue;
    const std::uint64_t first = runs.first(run);
    out.push_back({pages[i - 1].slot, PageIndex(first), runs.first(run + 1) - first, AccessCount(expected)});
  }
}

}  // namespace

std::optional<double> StencilTable::accesses_per_element(const AccessPattern& stencil, Bytes object) const {
  const std::vector<StencilRow> measured = most_similar(rows, stencil);
  if (measured.empty()) return std::nullopt;
  const auto right = std::ranges::lower_bound(measured, object, {}, &StencilRow::object);
  if (right == measured.begin()) return right->accesses_per_element;
  const auto left = std::prev(right);
  if (right == measured.end()) return left->accesses_per_element;
  const double position = std::log(object / left->object) / std::log(right->object / left->object);
  return std::lerp(left->accesses_per_element, right->accesses_per_element, model::share(position));
}

std::optional<double> pattern_accesses(const AccessPattern& pattern, Bytes object, Bytes line,
                                       const StencilTable& stencils) {
  switch (pattern.kind) {
    case PatternKind::fixed:
      return 1;
    case PatternKind::stream:
      return lines_of(object, line);
    case PatternKind::strided: {
      // A step backwards touches as many lines as one forwards. Negated as unsigned: the smallest number has no
      // positive counterpart.
      const auto step = static_cast<std::uint64_t>(pattern.stride);
      const std::uint64_t stride = pattern.stride < 0 ? -step : step;
      return static_cast<double>(lines_touched(object, pattern.element, stride, line));
    }
    case PatternKind::stencil:
      return stencil_accesses(pattern, object, line, stencils);
    default:
      return std::nullopt;
  }
}

double alpha(const AccessPattern& pattern, Bytes base, Bytes now, Bytes line, const StencilTable& stencils) {
  const std::optional<double> before = pattern_accesses(pattern, base, line, stencils);
  const std::optional<double> after = pattern_accesses(pattern, now, line, stencils);
  if (!before || !after || base.value == 0 || now.value == 0 || *after <= 0) return 1;
  // So that S_new / (S_base * alpha) = M(S_new) / M(S_base).
  return model::factor(now / base * (*before / *after));
}

double alpha(std::span<const AccessPattern> patterns, Bytes base, Bytes now, Bytes line, const StencilTable& stencils) {
  double weights = 0, inverse = 0;
  for (const AccessPattern& pattern : patterns) {
    const double weight = model::amount(pattern.weight);
    weights += weight;
    inverse += weight / alpha(pattern, base, now, line, stencils);
  }
  return weights > 0 ? model::factor(weights / inverse) : 1;
}

std::uint64_t lines_touched(Bytes object, Bytes element, std::uint64_t stride, Bytes line) {
  if (object.value == 0 || line.value == 0) return 0;
  const std::uint64_t lines = object.value / line.value + (object.value % line.value != 0);
  const std::uint64_t size = std::max<std::uint64_t>(element.value, 1);
  // Every line has the beginning of an element in it, or elements follow each other without a gap.
  if (stride <= line.value || stride <= size) return lines;

  const bool representable = lines <= std::numeric_limits<std::uint64_t>::max() / line.value;
  const std::uint64_t rounded = representable ? lines * line.value : object.value;
  const std::uint64_t elements = rounded / stride + (rounded % stride != 0);
  const std::uint64_t period = line.value / std::gcd(stride, line.value);
  const std::uint64_t lines_of_period = period * stride / line.value;
  const std::uint64_t periods = (elements - 1) / period;  // whole ones before the last element
  const std::uint64_t begin = periods * lines_of_period;  // line at which the rest begins
  return periods * enumerate(period, size, stride, line.value, lines_of_period) +
         enumerate(elements - periods * period, size, stride, line.value, lines - begin);
}

AccessCount estimated_accesses(AccessCount profiled, Bytes base, Bytes now, double alpha) {
  if (base.value == 0) return AccessCount(0);
  // Eq. 1: esti_mem_acc = S_new / (S_base * alpha) * prof_mem_acc
  return AccessCount(model::amount(now / base / model::factor(alpha) * model::amount(profiled.value)));
}

AccessEstimate estimate_accesses(const TaskProfile& profile, std::span<const Bytes> base, std::span<const Bytes> now,
                                 std::span<const double> alpha, Bytes page, std::uint64_t extents_per_object) {
  AccessEstimate estimate;
  estimate.lane = profile.lane;
  const std::span<const PageCount> counts = profile.pages;
  for (std::size_t begin = 0, end = 0; begin < counts.size(); begin = end) {
    const std::size_t slot = counts[begin].slot.value;
    end = model::slot_end(counts, begin);
    if (slot >= base.size() || slot >= now.size()) continue;
    const std::uint64_t old_pages = pages_of(base[slot], page), new_pages = pages_of(now[slot], page);
    const Runs runs{old_pages, new_pages, std::min({extents_per_object, old_pages, new_pages})};
    if (runs.count == 0) continue;
    const double a = slot < alpha.size() ? alpha[slot] : 1;
    const double growth = estimated_accesses(AccessCount(1), base[slot], now[slot], a).value;
    append_extents(counts.subspan(begin, end - begin), runs, growth, estimate.extents);
  }
  for (const ExtentEstimate& extent : estimate.extents) estimate.total += extent.count;
  return estimate;
}

}  // namespace lbhm
