#include "apps/dmrg/environment.h"

#include <omp.h>

#include <algorithm>
#include <string>

#include "apps/dmrg/gemm.h"

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

}  // namespace dmrg
