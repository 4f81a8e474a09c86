#include "apps/dmrg/split.h"

#include <omp.h>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "apps/dmrg/dense_matrix.h"

namespace dmrg {
namespace {

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

}  // namespace

std::vector<Middle> middles_of(const std::vector<Quantum>& states, const Bond& left, const Bond& right, bool to_right) {
  std::set<Quantum> quanta;
  for (const Sector& sector : left) {
    for (const Quantum& state : states) quanta.insert(sector.quantum + state);
  }
  std::vector<Middle> middles;
  for (const Quantum& quantum : quanta) {
    Middle middle;
    middle.quantum = quantum;
    middle.rows = strips_of(left, states, quantum, true);
    middle.columns = strips_of(right, states, quantum, false);
    if (middle.columns.empty()) continue;
    if (!to_right) std::swap(middle.rows, middle.columns);
    middles.push_back(std::move(middle));
  }
  return middles;
}

double truncate(std::vector<Middle>& middles, const Truncation& truncation) {
  std::vector<std::pair<double, std::size_t>> weights;  // largest first, then by sector
  for (std::size_t i = 0; i < middles.size(); ++i) {
    for (const double s : middles[i].values) weights.emplace_back(-s * s, i);
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

Splitter::Splitter(const PairLayout& layout, const std::vector<Quantum>& states, const Bond& left, const Bond& right,
                   const DavidsonMemory& memory, const Truncation& truncation, bool to_right)
    : layout_(layout),
      states_(states),
      left_(left),
      right_(right),
      memory_(memory),
      truncation_(truncation),
      to_right_(to_right),
      middles_(middles_of(states, left, right, to_right)) {
  allocate(layout.sizes.size());
}

void Splitter::allocate(std::size_t threads) {
  work_offsets_.assign(threads, 0);
  std::vector<std::size_t> largest(threads, 0);
  for (std::size_t i = 0; i < middles_.size(); ++i) {
    Middle& m = middles_[i];
    const std::size_t rows = length_of(m.rows);
    const std::size_t columns = length_of(m.columns);
    m.owner = owner_of(i, threads);
    m.offset = work_offsets_[m.owner];
    m.values.resize(std::min(rows, columns));
    work_offsets_[m.owner] += aligned(rows * m.values.size());
    largest[m.owner] = std::max(largest[m.owner], rows * columns);
  }
  arenas_.reserve(threads);
  for (std::size_t t = 0; t < threads; ++t) {
    arenas_.emplace_back("svd[" + std::to_string(t) + "]", alignment + work_offsets_[t] + largest[t]);
  }
}

/// Calls f(sector) for those that this thread decomposes.
template <class F>
void Splitter::each(F f) const {
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  const auto me = static_cast<std::size_t>(omp_get_thread_num());
  for (std::size_t i = 0; i < middles_.size(); ++i) {
    if (middles_[i].owner % team == me) f(i);
  }
}

/// U of a sector.
double* Splitter::vectors(const Middle& middle) const {
  double* const begin = arenas_[middle.owner].data();
  const std::size_t address = reinterpret_cast<std::uintptr_t>(begin) / sizeof(double);
  return begin + (aligned(address) - address) + middle.offset;
}

/// A, or its transpose, from the wave function to the owner's work space.
double* Splitter::gather(const Middle& middle, bool transposed) const {
  double* const matrix = vectors(middle) - middle.offset + work_offsets_[middle.owner];
  const std::vector<Strip>& down = transposed ? middle.columns : middle.rows;
  const std::vector<Strip>& across = transposed ? middle.rows : middle.columns;
  const bool left_is_down = to_right_ != transposed;
  const std::size_t height = length_of(down);
  const Parts psi = memory_.vector(0);
  for (const Strip& d : down) {
    for (const Strip& a : across) {
      const Strip& l = left_is_down ? d : a;
      const Strip& r = left_is_down ? a : d;
      const PairBlock& block = layout_.blocks[layout_.find(l.sector, l.state, r.state)];
      const double* const from = psi[block.owner] + block.offset;
      double* const to = matrix + a.first * height + d.first;
      for (std::size_t j = 0; j < a.size; ++j) {
        for (std::size_t i = 0; i < d.size; ++i) {
          to[j * height + i] = left_is_down ? from[j * d.size + i] : from[i * a.size + j];
        }
      }
    }
  }
  return matrix;
}

void Splitter::decompose(Middle& middle) const {
  dmrg::decompose(length_of(middle.rows), length_of(middle.columns), gather(middle, true), vectors(middle),
                  middle.values);
}

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

/// One sector's blocks: the orthogonal tensor has the first columns of U, the centre U^T * A = s * V^T, normalised.
void Splitter::fill(std::size_t sector) {
  const Middle& m = middles_[sector];
  const SiteTensor& orthogonal = to_right_ ? result_->first : result_->second;
  const SiteTensor& centre = to_right_ ? result_->second : result_->first;
  const std::size_t rows = length_of(m.rows);
  const double* const u = vectors(m);
  const double scale = 1 / std::sqrt(1 - result_->discarded);
  for (const Strip& strip : m.rows) {
    double* const target = orthogonal.from(strip.sector, strip.state);
    for (std::size_t j = 0; j < m.kept; ++j) {
      std::copy_n(u + j * rows + strip.first, strip.size, target + j * strip.size);
    }
  }
  const double* const matrix = gather(m, false);
  for (const Strip& strip : m.columns) {
    double* const target = centre.from(sector, strip.state);
    const std::size_t size = m.kept * strip.size;
    std::fill_n(target, size, 0.0);
    multiply_transposed_add(m.kept, strip.size, rows, u, matrix + strip.first * rows, target);
    for (std::size_t i = 0; i < size; ++i) target[i] *= scale;
  }
}

void Splitter::run() {
  each([this](std::size_t i) { decompose(middles_[i]); });
#pragma omp barrier
#pragma omp single
  truncate();
  each([this](std::size_t i) { fill(i); });
#pragma omp barrier
}

}  // namespace dmrg
