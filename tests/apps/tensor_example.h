// Small tensors and their contractions, for the tests.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "apps/common/random_graphs.h"
#include "apps/tensor/contraction.h"
#include "apps/tensor/contraction_phases.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/task.h"

namespace tensor {

/// Small whole numbers at random places: sums are exact in any order.
inline Entries random_entries(const std::vector<Index>& shape, unsigned count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Entries entries{.shape = shape, .coordinates = {}, .values = {}};
  for (unsigned i = 0; i < count; ++i) {
    for (const Index extent : shape) {
      entries.coordinates.push_back(static_cast<Index>(apps::draw_below(random, extent)));
    }
    entries.values.push_back(static_cast<double>(apps::draw_below(random, 9)) - 4.0);
  }
  return add_up_duplicates(entries);
}

/// Two tensors and what came out of them.
struct Example {
  Example(const Entries& given_x, const Entries& given_y, const ContractModes& modes, std::size_t threads)
      : x("X", given_x),
        y("Y", given_y),
        contraction(make_contraction(given_x.shape, given_y.shape, modes)),
        tasks(make_tasks(make_parts(x, y, contraction, threads))),
        shared(y, tasks) {
    contract(x, y, contraction, shared, tasks);
  }

  Coo x;
  Coo y;
  Contraction contraction;
  std::vector<Task> tasks;
  SharedY shared;
};

}  // namespace tensor
