#include "apps/dmrg/split.h"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "apps/dmrg/dense.h"
#include "apps/dmrg/gemm.h"

namespace dmrg {
namespace {

/// Where a (sector, state) stands in the matrix of a sector of the middle bond.
struct Strip {
  std::size_t sector, state, first, size;
};

/// One sector of the middle bond: psi as a matrix of (left sector, first state) x (right sector, second state).
struct Middle {
  Quantum quantum;
  std::vector<Strip> rows, columns;
  Decomposition svd;
  std::size_t kept = 0;

  static std::size_t length(const std::vector<Strip>& strips) {
    return strips.empty() ? 0 : strips.back().first + strips.back().size;
  }
};

std::vector<Strip> strips_of(const Bond& bond, const std::vector<Quantum>& states, const Quantum& middle, bool left) {
  std::vector<Strip> strips;
  std::size_t first = 0;
  for (std::size_t sector = 0; sector < bond.size(); ++sector) {
    for (std::size_t state = 0; state < states.size(); ++state) {
      const Quantum& quantum = bond[sector].quantum;
      if ((left ? quantum + states[state] : quantum - states[state]) != middle) continue;
      strips.push_back({sector, state, first, bond[sector].dimension});
      first += bond[sector].dimension;
    }
  }
  return strips;
}

std::vector<Middle> middles_of(const std::vector<Quantum>& states, const Bond& left, const Bond& right) {
  std::set<Quantum> quanta;
  for (const Sector& sector : left) {
    for (const Quantum& state : states) quanta.insert(sector.quantum + state);
  }
  std::vector<Middle> middles;
  for (const Quantum& quantum : quanta) {
    Middle middle{quantum, strips_of(left, states, quantum, true), strips_of(right, states, quantum, false), {}, 0};
    if (!middle.columns.empty()) middles.push_back(std::move(middle));
  }
  return middles;
}

void decompose_middle(Middle& middle, const PairLayout& layout, const DavidsonMemory& memory) {
  const std::size_t rows = Middle::length(middle.rows);
  std::vector<double> matrix(rows * Middle::length(middle.columns));
  const Parts psi = memory.vector(0);
  for (const Strip& r : middle.rows) {
    for (const Strip& c : middle.columns) {
      const PairBlock& block = layout.blocks[layout.find(r.sector, r.state, c.state)];
      const double* const from = psi[block.owner] + block.offset;
      for (std::size_t j = 0; j < c.size; ++j) {
        std::copy_n(from + j * r.size, r.size, matrix.data() + (c.first + j) * rows + r.first);
      }
    }
  }
  middle.svd = decompose(rows, Middle::length(middle.columns), matrix);
}

/// Decides how many singular values each sector keeps; returns the weight of the others.
double truncate(std::vector<Middle>& middles, const Truncation& truncation) {
  std::vector<std::pair<double, std::size_t>> weights;  // largest first, then by sector
  for (std::size_t i = 0; i < middles.size(); ++i) {
    for (const double s : middles[i].svd.s) weights.emplace_back(-s * s, i);
  }
  std::ranges::sort(weights);
  double discarded = 0;
  std::size_t kept = weights.size();
  while (kept > 1) {
    const double weight = -weights[kept - 1].first;
    const bool small = discarded + weight <= truncation.cutoff && kept > truncation.min_dimension;
    if (kept <= truncation.max_dimension && !small && weight > 0) break;
    discarded += weight;
    --kept;
  }
  for (std::size_t i = 0; i < kept; ++i) ++middles[weights[i].second].kept;
  return discarded;
}

/// An orthogonal tensor from the first columns of U or V, and the centre from the other one times s * scale.
void fill(SiteTensor& orthogonal, SiteTensor& centre, const Bond& bond, const std::vector<Middle>& middles,
          bool to_right, double scale, std::size_t thread, std::size_t threads) {
  for (std::size_t sector = thread; sector < bond.size(); sector += threads) {
    const auto at = std::ranges::find(middles, bond[sector].quantum, &Middle::quantum);
    const auto& [kept_strips, other_strips] =
        to_right ? std::pair{at->rows, at->columns} : std::pair{at->columns, at->rows};
    const std::vector<double>& kept = to_right ? at->svd.u : at->svd.v;
    const std::vector<double>& other = to_right ? at->svd.v : at->svd.u;
    const std::size_t size = at->kept;
    const std::size_t kept_length = Middle::length(kept_strips);
    const std::size_t other_length = Middle::length(other_strips);
    for (const Strip& strip : kept_strips) {
      double* const target = orthogonal.from(strip.sector, strip.state);
      for (std::size_t j = 0; j < size; ++j) {
        std::copy_n(kept.data() + j * kept_length + strip.first, strip.size, target + j * strip.size);
      }
    }
    for (const Strip& strip : other_strips) {
      double* const target = centre.from(sector, strip.state);
      for (std::size_t i = 0; i < strip.size; ++i) {
        for (std::size_t j = 0; j < size; ++j) {
          target[i * size + j] = other[j * other_length + strip.first + i] * at->svd.s[j] * scale;
        }
      }
    }
  }
}

}  // namespace

SplitResult split(const PairLayout& layout, const std::vector<Quantum>& states, const Bond& left, const Bond& right,
                  const DavidsonMemory& memory, const Truncation& truncation, bool to_right) {
  std::vector<Middle> middles = middles_of(states, left, right);
  const std::size_t threads = layout.sizes.size();
#pragma omp parallel for schedule(static, 1) num_threads(static_cast<int>(threads))
  for (std::size_t i = 0; i < middles.size(); ++i) decompose_middle(middles[i], layout, memory);

  const double discarded = truncate(middles, truncation);
  Bond middle;
  for (const Middle& m : middles) {
    if (m.kept != 0) middle.push_back({m.quantum, m.kept});
  }
  SplitResult result{
      .middle = middle,
      .first = SiteTensor("site", to_right ? left : middle, to_right ? middle : left, states, to_right),
      .second = SiteTensor("site", to_right ? middle : right, to_right ? right : middle, states, to_right),
      .discarded = discarded};
  SiteTensor& orthogonal = to_right ? result.first : result.second;
  SiteTensor& centre = to_right ? result.second : result.first;
  const double scale = 1 / std::sqrt(1 - discarded);
#pragma omp parallel for schedule(static, 1) num_threads(static_cast<int>(threads))
  for (std::size_t thread = 0; thread < threads; ++thread) {
    fill(orthogonal, centre, middle, middles, to_right, scale, thread, threads);
  }
  return result;
}

}  // namespace dmrg
