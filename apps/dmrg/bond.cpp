#include "apps/dmrg/bond.h"

#include <algorithm>

namespace dmrg {
namespace {

std::vector<SiteBlock> blocks_of(const Bond& from, const Bond& to, const std::vector<Quantum>& states, bool left_form) {
  std::vector<SiteBlock> blocks;
  std::size_t offset = 0;
  for (std::size_t f = 0; f < from.size(); ++f) {
    for (std::size_t s = 0; s < states.size(); ++s) {
      const Quantum sum = left_form ? from[f].quantum + states[s] : from[f].quantum - states[s];
      const std::size_t t = find_sector(to, sum);
      if (t == none) continue;
      blocks.push_back({f, s, t, offset});
      offset += from[f].dimension * to[t].dimension;
    }
  }
  return blocks;
}

std::size_t size_of(const std::vector<SiteBlock>& blocks, const Bond& from, const Bond& to) {
  if (blocks.empty()) return 0;
  const SiteBlock& last = blocks.back();
  return last.offset + from[last.from].dimension * to[last.to].dimension;
}

}  // namespace

std::size_t find_sector(const Bond& bond, const Quantum& quantum) {
  const auto at = std::ranges::lower_bound(bond, quantum, {}, &Sector::quantum);
  return at != bond.end() && at->quantum == quantum ? static_cast<std::size_t>(at - bond.begin()) : none;
}

std::size_t dimension_of(const Bond& bond) {
  std::size_t sum = 0;
  for (const Sector& sector : bond) sum += sector.dimension;
  return sum;
}

SiteTensor::SiteTensor(const char* name, const Bond& from, const Bond& to, const std::vector<Quantum>& states,
                       bool in_left_form)
    : left_form(in_left_form),
      blocks(blocks_of(from, to, states, left_form)),
      memory(name, size_of(blocks, from, to)),
      states_(states.size()),
      index_(from.size() * states.size(), none) {
  for (std::size_t i = 0; i < blocks.size(); ++i) index_[blocks[i].from * states_ + blocks[i].state] = i;
}

}  // namespace dmrg
