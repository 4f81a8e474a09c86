#include "bench/measure/kernels/streams.h"

namespace measure {

void stream_triad(std::span<Words> to, std::span<const Words> first, std::span<const Words> second) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < to.size(); ++i) __builtin_nontemporal_store(first[i] + 3 * second[i], &to[i]);
}

}  // namespace measure
