// Cache lines that a walk with a constant step touches: section 4 of the paper, stream and strided patterns. The paper
// enumerates strides and data types offline. Where the elements lie in their lines repeats after line / gcd(stride,
// line) elements, so one such period is enumerated and the rest is arithmetic.
#include <algorithm>
#include <limits>
#include <numeric>

#include "model/model.h"

namespace lbhm {
namespace {

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

}  // namespace

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

}  // namespace lbhm
