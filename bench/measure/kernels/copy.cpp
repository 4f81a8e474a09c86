#include "bench/measure/kernels/streams.h"

namespace measure {

void stream_copy(std::span<Words> to, std::span<const Words> from) {
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < to.size(); ++i) __builtin_nontemporal_store(from[i], &to[i]);
}

}  // namespace measure
