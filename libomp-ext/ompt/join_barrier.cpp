#include "libomp-ext/ompt/join_barrier.h"

#include <array>
#include <cstddef>

namespace lbhm::openmp {
namespace {

/// Regions that are nested deeper are taken for worksharing constructs. Few, for memory of threads is scarce where the
/// library is loaded late (static TLS).
struct Forks {
  std::array<const void*, 6> calls{};
  std::size_t depth = 0;
};
constinit thread_local Forks forks;

}  // namespace

void forks_from(const void* call) {
  if (forks.depth < forks.calls.size()) forks.calls[forks.depth] = call;
  ++forks.depth;
}

void joined() { forks.depth -= forks.depth > 0; }

bool is_join(const void* call) {
  if (!call) return true;
  return forks.depth > 0 && forks.depth <= forks.calls.size() && forks.calls[forks.depth - 1] == call;
}

}  // namespace lbhm::openmp
