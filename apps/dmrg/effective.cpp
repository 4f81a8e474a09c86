#include "apps/dmrg/effective.h"

#include <omp.h>
#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "apps/dmrg/dense_matrix.h"

namespace dmrg {
namespace {

std::size_t column_sector(Side side, const Bond& bond, std::size_t row, const Quantum& charge) {
  const Quantum& quantum = bond[row].quantum;
  return find_sector(bond, side == Side::left ? quantum - charge : quantum + charge);
}

/// What `extend` works with.
struct Extension {
  Side side;
  const Environment& before;
  const Bond& before_bond;
  const SiteTensor& site;
  std::span<const Element> elements;
  const Bond& next_bond;
  Environment& next;
};

/// The sector of the old bond from which `state` leads to `sector` of the new one, found through the site's blocks.
std::size_t origin_of(const SiteTensor& site, std::size_t state, std::size_t sector) {
  const auto at =
      std::ranges::find_if(site.blocks, [&](const SiteBlock& b) { return b.state == state && b.to == sector; });
  return at == site.blocks.end() ? none : at->from;
}

/// block(row, column) += value * A(row side)^T * before(row', column') * A(column side) for one MPO element.
void add_element(const Extension& e, std::size_t channel, const Element& element, std::size_t row, std::size_t column,
                 double* block, std::vector<double>& product) {
  const bool left = e.side == Side::left;
  const std::size_t from_channel = left ? element.left : element.right;
  if ((left ? element.right : element.left) != channel) return;
  const std::size_t row_state = left ? element.bra : element.ket;
  const std::size_t column_state = left ? element.ket : element.bra;
  const std::size_t from_row = origin_of(e.site, row_state, row);
  const std::size_t from_column = origin_of(e.site, column_state, column);
  if (from_row == none || from_column == none || e.before.column_of(from_channel, from_row) != from_column) return;
  const std::size_t inner_rows = e.before_bond[from_row].dimension;
  const std::size_t inner_columns = e.before_bond[from_column].dimension;
  const std::size_t columns = e.next_bond[column].dimension;
  product.assign(inner_rows * columns, 0.0);
  multiply_add(inner_rows, columns, inner_columns, e.before.find(from_channel, from_row),
               e.site.from(from_column, column_state), product.data());
  for (double& p : product) p *= element.value;
  multiply_transposed_add(e.next_bond[row].dimension, columns, inner_rows, e.site.from(from_row, row_state),
                          product.data(), block);
}

void extend_row(const Extension& e, std::size_t row, std::vector<double>& product) {
  for (std::size_t channel = 0; channel < e.next.channels(); ++channel) {
    const std::size_t column = e.next.column_of(channel, row);
    if (column == none) continue;
    double* const block = e.next.find(channel, row);
    std::fill_n(block, e.next_bond[row].dimension * e.next_bond[column].dimension, 0.0);
    for (const Element& element : e.elements) add_element(e, channel, element, row, column, block, product);
  }
}

}  // namespace

Environment::Environment(Side side, const Bond& bond, const std::vector<Quantum>& channels, std::size_t threads)
    : sectors_(bond.size()), places_(channels.size() * bond.size()) {
  std::vector<std::size_t> sizes(threads, 0);
  for (std::size_t channel = 0; channel < channels.size(); ++channel) {
    for (std::size_t row = 0; row < sectors_; ++row) {
      const std::size_t column = column_sector(side, bond, row, channels[channel]);
      if (column == none) continue;
      std::size_t& size = sizes[owner_of(row, threads)];
      places_[channel * sectors_ + row] = {column, size};
      size += bond[row].dimension * bond[column].dimension;
    }
  }
  arenas_.reserve(threads);
  for (std::size_t thread = 0; thread < threads; ++thread) {
    arenas_.emplace_back((side == Side::left ? "left[" : "right[") + std::to_string(thread) + "]", sizes[thread]);
  }
}

Environment make_boundary(Side side, const Bond& bond, const std::vector<Quantum>& channels, std::size_t threads) {
  Environment environment(side, bond, channels, threads);
  *environment.find(0, 0) = side == Side::left ? 1 : 0;
  *environment.find(1, 0) = side == Side::left ? 0 : 1;
  return environment;
}

void extend(Side side, const Environment& before, const Bond& before_bond, const SiteTensor& site,
            std::span<const Element> elements, const Bond& next_bond, Environment& next) {
  const Extension extension{side, before, before_bond, site, elements, next_bond, next};
  const std::size_t threads = next.arenas().size();
  std::vector<double> product;
  const auto team = static_cast<std::size_t>(omp_get_num_threads());
  for (auto t = static_cast<std::size_t>(omp_get_thread_num()); t < threads; t += team) {
    for (std::size_t row = t; row < next_bond.size(); row += threads) extend_row(extension, row, product);
  }
}

PairLayout::PairLayout(const Bond& left, const Bond& right, const std::vector<Quantum>& site, std::size_t threads)
    : states(site.size()), index(left.size() * site.size() * site.size(), none), sizes(threads, 0) {
  for (std::size_t l = 0; l < left.size(); ++l) {
    const std::size_t owner = owner_of(l, threads);
    for (std::size_t first = 0; first < states; ++first) {
      for (std::size_t second = 0; second < states; ++second) {
        const std::size_t r = find_sector(right, left[l].quantum + site[first] + site[second]);
        if (r == none) continue;
        const std::size_t size = left[l].dimension * right[r].dimension;
        index[(l * states + first) * states + second] = blocks.size();
        blocks.push_back({l, first, second, r, sizes[owner], size, owner});
        sizes[owner] += size;
      }
    }
  }
}

std::vector<PairElement> combine(const std::vector<Element>& first, const std::vector<Element>& second) {
  // Sorted by what one product with a block on the right needs.
  using Key = std::tuple<std::size_t, std::size_t, std::size_t, std::size_t, std::size_t, std::size_t>;
  std::map<Key, double> sums;
  for (const Element& a : first) {
    for (const Element& b : second) {
      if (a.right == b.left) sums[{a.bra, b.bra, b.right, a.left, a.ket, b.ket}] += a.value * b.value;
    }
  }
  std::vector<PairElement> elements;
  for (const auto& [key, value] : sums) {
    const auto& [bra_first, bra_second, right, left, ket_first, ket_second] = key;
    if (value != 0) elements.push_back({left, right, bra_first, bra_second, ket_first, ket_second, value});
  }
  return elements;
}

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
