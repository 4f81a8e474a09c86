#include "apps/spgemm/kronecker.h"

#include "apps/common/kronecker.h"

namespace spgemm {

Triples make_kronecker(unsigned scale, std::uint64_t seed) {
  const Index vertices = Index{1} << scale;
  Triples graph{vertices, vertices, {}};
  graph.entries.resize(apps::kronecker_edges(scale), Triple{0, 0, 1.0});
  apps::fill_kronecker(scale, seed, graph.entries);
  return graph;
}

}  // namespace spgemm
