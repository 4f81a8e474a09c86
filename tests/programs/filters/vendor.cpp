#include "vendor.h"

std::size_t vendor_compress(const std::uint16_t* values, std::size_t count, std::uint16_t* out) {
  std::size_t written = 0;
  for (std::size_t i = 0; i < count;) {
    std::size_t end = i + 1;
    while (end < count && values[end] == values[i] && end - i < 65535) ++end;
    out[written++] = values[i];
    out[written++] = static_cast<std::uint16_t>(end - i);
    i = end;
  }
  return written;
}

std::size_t vendor_expand(const std::uint16_t* runs, std::size_t count, std::uint16_t* out) {
  std::size_t written = 0;
  for (std::size_t i = 0; i + 1 < count; i += 2)
    for (unsigned k = 0; k < runs[i + 1]; ++k) out[written++] = runs[i];
  return written;
}

long vendor_for_each(const std::uint16_t* values, std::size_t count, long (*each)(std::uint16_t, void*), void* data) {
  long sum = 0;
  for (std::size_t i = 0; i < count; ++i) sum += each(values[i], data);
  return sum;
}
