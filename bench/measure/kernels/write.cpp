#include "bench/measure/kernels/streams.h"

namespace measure {

void stream_write(std::span<Words> to, std::uint64_t value) {
  const Words line = Words{} + value;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < to.size(); ++i) __builtin_nontemporal_store(line, &to[i]);
}

}  // namespace measure
