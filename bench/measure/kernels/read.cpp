#include "bench/measure/kernels/streams.h"

namespace measure {

std::uint64_t stream_read(std::span<const Words> from) {
  std::uint64_t total = 0;
#pragma omp parallel reduction(+ : total)
  {
    Words sum{};
#pragma omp for schedule(static)
    for (std::size_t i = 0; i < from.size(); ++i) sum += from[i];
    for (int word = 0; word < 8; ++word) total += sum[word];
  }
  return total;
}

}  // namespace measure
