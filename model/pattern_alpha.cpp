// alpha of Eq. 1 from the access patterns of an object: section 4 of the paper.
#include <cmath>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {
namespace {

double lines_of(Bytes object, Bytes line) { return static_cast<double>(lines_touched(object, Bytes(1), 1, line)); }

/// Elements of the object, its size rounded up to whole lines, times the accesses of one.
std::optional<double> stencil_accesses(const AccessPattern& pattern, Bytes object, Bytes line,
                                       const StencilTable& stencils) {
  const std::optional<double> each = stencils.accesses_per_element(pattern, object);
  if (pattern.input_dependent || !each || pattern.element.value == 0) return std::nullopt;
  return *each * lines_of(object, line) * (line / pattern.element);
}

}  // namespace

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

}  // namespace lbhm
