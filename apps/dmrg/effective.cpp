#include "apps/dmrg/effective.h"

#include <algorithm>

#include "apps/dmrg/gemm.h"

namespace dmrg {

EffectiveHamiltonian::EffectiveHamiltonian(const Environment& left, const Bond& left_bond, const Environment& right,
                                           const Bond& right_bond, const std::vector<PairElement>& elements,
                                           const PairLayout& layout)
    : left_(left), left_bond_(left_bond), right_(right), right_bond_(right_bond), elements_(elements), layout_(layout) {
  for (std::size_t bra = 0; bra <= layout.states * layout.states; ++bra) {
    const auto at = std::ranges::partition_point(
        elements, [&](const PairElement& e) { return e.bra_first * layout.states + e.bra_second < bra; });
    begin_.push_back(static_cast<std::size_t>(at - elements.begin()));
  }
}

std::size_t EffectiveHamiltonian::products_size(std::size_t row) const {
  std::size_t size = 0;
  for (std::size_t channel = 0; channel < left_.channels(); ++channel) {
    const std::size_t ket = left_.column_of(channel, row);
    if (ket == none) continue;
    for (std::size_t i = 0; i < layout_.states * layout_.states; ++i) {
      const std::size_t block = layout_.index[ket * layout_.states * layout_.states + i];
      if (block != none) size += left_bond_[row].dimension * right_bond_[layout_.blocks[block].right].dimension;
    }
  }
  return size;
}

std::size_t EffectiveHamiltonian::widest(std::size_t row) const {
  std::size_t largest = 0;
  for (const Sector& sector : right_bond_) largest = std::max(largest, sector.dimension);
  return largest * left_bond_[row].dimension;
}

std::size_t EffectiveHamiltonian::scratch_size(std::size_t owner, std::size_t owners) const {
  std::size_t largest = 0;
  for (std::size_t row = owner; row < left_bond_.size(); row += owners) {
    largest = std::max(largest, products_size(row) + widest(row));
  }
  return largest;
}

/// L * x for one bra sector of the left bond, every channel and every block of x that the channel leads to.
void EffectiveHamiltonian::multiply_left(std::size_t row, const Parts& x, double* scratch,
                                         std::vector<const double*>& products) const {
  const std::size_t rows = left_bond_[row].dimension;
  products.assign(left_.channels() * layout_.states * layout_.states, nullptr);
  for (std::size_t channel = 0; channel < left_.channels(); ++channel) {
    const std::size_t ket = left_.column_of(channel, row);
    if (ket == none) continue;
    for (std::size_t first = 0; first < layout_.states; ++first) {
      for (std::size_t second = 0; second < layout_.states; ++second) {
        const std::size_t number = layout_.find(ket, first, second);
        if (number == none) continue;
        const PairBlock& block = layout_.blocks[number];
        const std::size_t columns = right_bond_[block.right].dimension;
        std::fill_n(scratch, rows * columns, 0.0);
        multiply_add(rows, columns, left_bond_[ket].dimension, left_.find(channel, row), x[block.owner] + block.offset,
                     scratch);
        products[product_index(channel, first, second)] = scratch;
        scratch += rows * columns;
      }
    }
  }
}

/// One block of y: for every right channel, the site operators' sum of products, then * R.
void EffectiveHamiltonian::multiply_right(std::size_t number, const std::vector<const double*>& products, double* sum,
                                          double* y) const {
  const PairBlock& block = layout_.blocks[number];
  const std::size_t rows = left_bond_[block.left].dimension;
  const std::size_t columns = right_bond_[block.right].dimension;
  std::fill_n(y, block.size, 0.0);
  const std::size_t bra = block.first * layout_.states + block.second;
  for (std::size_t i = begin_[bra]; i < begin_[bra + 1];) {
    const std::size_t channel = elements_[i].right;
    std::size_t ket = none;  // the sector of the right bond: the same for all elements of the channel
    for (; i < begin_[bra + 1] && elements_[i].right == channel; ++i) {
      const PairElement& e = elements_[i];
      const double* const product = products[product_index(e.left, e.ket_first, e.ket_second)];
      if (product == nullptr) continue;
      const std::size_t left_ket = left_.column_of(e.left, block.left);
      const std::size_t right_ket = layout_.blocks[layout_.find(left_ket, e.ket_first, e.ket_second)].right;
      if (right_.column_of(channel, right_ket) != block.right) continue;
      const std::size_t size = rows * right_bond_[right_ket].dimension;
      if (ket == none) std::fill_n(sum, size, 0.0);
      ket = right_ket;
      add_scaled(size, e.value, product, sum);
    }
    if (ket != none) multiply_add(rows, columns, right_bond_[ket].dimension, sum, right_.find(channel, ket), y);
  }
}

void EffectiveHamiltonian::multiply(std::size_t owner, const Parts& x, const Parts& y, double* scratch) const {
  std::vector<const double*> products;
  for (std::size_t row = owner; row < left_bond_.size(); row += x.size()) {
    double* const sum = scratch;
    multiply_left(row, x, scratch + widest(row), products);
    for (std::size_t i = 0; i < layout_.states * layout_.states; ++i) {
      const std::size_t number = layout_.index[row * layout_.states * layout_.states + i];
      if (number != none) multiply_right(number, products, sum, y[owner] + layout_.blocks[number].offset);
    }
  }
}

}  // namespace dmrg
