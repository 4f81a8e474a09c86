#include "apps/dmrg/split.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "apps/dmrg/dense.h"
#include "apps/dmrg/gemm.h"

namespace dmrg {
namespace {

std::size_t length_of(const std::vector<Strip>& strips) {
  return strips.empty() ? 0 : strips.back().first + strips.back().size;
}

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
  const std::size_t rows = length_of(middle.rows);
  std::vector<double> matrix(rows * length_of(middle.columns));
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
  middle.svd = decompose(rows, length_of(middle.columns), matrix);
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

}  // namespace

Splitter::Splitter(const PairLayout& layout, const std::vector<Quantum>& states, const Bond& left, const Bond& right,
                   const DavidsonMemory& memory, const Truncation& truncation, bool to_right)
    : layout_(layout),
      states_(states),
      left_(left),
      right_(right),
      memory_(memory),
      truncation_(truncation),
      to_right_(to_right),
      middles_(middles_of(states, left, right)) {}

/// Allocates what run() fills.
void Splitter::truncate() {
  const double discarded = dmrg::truncate(middles_, truncation_);
  std::erase_if(middles_, [](const Middle& middle) { return middle.kept == 0; });
  Bond middle;
  for (const Middle& m : middles_) middle.push_back({m.quantum, m.kept});
  result_.emplace(
      middle, SiteTensor("site", to_right_ ? left_ : middle, to_right_ ? middle : left_, states_, to_right_),
      SiteTensor("site", to_right_ ? middle : right_, to_right_ ? right_ : middle, states_, to_right_), discarded);
}

/// One sector's blocks: the orthogonal tensor has the first columns of U or V, the centre has the other one times s,
/// normalised.
void Splitter::fill(std::size_t sector) {
  const Middle& m = middles_[sector];
  const SiteTensor& orthogonal = to_right_ ? result_->first : result_->second;
  const SiteTensor& centre = to_right_ ? result_->second : result_->first;
  const std::vector<Strip>& kept_strips = to_right_ ? m.rows : m.columns;
  const std::vector<Strip>& other_strips = to_right_ ? m.columns : m.rows;
  const std::vector<double>& kept = to_right_ ? m.svd.u : m.svd.v;
  const std::vector<double>& other = to_right_ ? m.svd.v : m.svd.u;
  const double scale = 1 / std::sqrt(1 - result_->discarded);
  for (const Strip& strip : kept_strips) {
    double* const target = orthogonal.from(strip.sector, strip.state);
    for (std::size_t j = 0; j < m.kept; ++j) {
      std::copy_n(kept.data() + j * length_of(kept_strips) + strip.first, strip.size, target + j * strip.size);
    }
  }
  for (const Strip& strip : other_strips) {
    double* const target = centre.from(sector, strip.state);
    for (std::size_t i = 0; i < strip.size; ++i) {
      for (std::size_t j = 0; j < m.kept; ++j) {
        target[i * m.kept + j] = other[j * length_of(other_strips) + strip.first + i] * m.svd.s[j] * scale;
      }
    }
  }
}

void Splitter::run() {
#pragma omp for schedule(static, 1)
  for (std::size_t i = 0; i < middles_.size(); ++i) decompose_middle(middles_[i], layout_, memory_);
#pragma omp single
  truncate();
#pragma omp for schedule(static, 1)
  for (std::size_t i = 0; i < middles_.size(); ++i) fill(i);
}

}  // namespace dmrg
