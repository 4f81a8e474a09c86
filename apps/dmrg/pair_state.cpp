#include "apps/dmrg/pair_state.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace dmrg {

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

}  // namespace dmrg
