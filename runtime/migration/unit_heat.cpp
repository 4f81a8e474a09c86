#include "runtime/migration/unit_heat.h"

#include <algorithm>
#include <map>

namespace lbhm::migration {
namespace {

using Pieces = std::vector<EvictionCandidate>;

EvictionCandidate part_of(const EvictionCandidate& candidate, std::uintptr_t begin, std::uintptr_t end) {
  return {.address = begin, .bytes = Bytes(end - begin), .per_page = candidate.per_page};
}

/// What fills blocks goes to `rest` as it is; what shares its block with something else, to `shared`.
void split(const EvictionCandidate& candidate, std::uint64_t block, Pieces& rest,
           std::map<std::uintptr_t, Pieces>& shared) {
  const std::uintptr_t end = candidate.address + candidate.bytes.value;
  for (std::uintptr_t at = candidate.address; at < end;) {
    const std::uintptr_t first = at / block * block;
    const bool fills = at == first && first + block <= end;
    const std::uintptr_t until = fills ? end / block * block : std::min(end, first + block);
    (fills ? rest : shared[first]).push_back(part_of(candidate, at, until));
    at = until;
  }
}

}  // namespace

Pieces by_unit(const Pieces& candidates, Units& units) {
  Pieces all;
  std::map<std::uintptr_t, Pieces> shared;
  for (const EvictionCandidate& candidate : candidates) split(candidate, units.block().value, all, shared);
  for (const auto& [block, pieces] : shared) {
    const Unit unit = units.of(block);
    if (unit.pages <= 1) {
      all.insert(all.end(), pieces.begin(), pieces.end());
      continue;
    }
    AccessCount sum(0);
    for (const EvictionCandidate& piece : pieces) sum += piece.per_page * (piece.bytes / units.page());
    all.push_back({.address = block, .bytes = units.block(), .per_page = sum / static_cast<double>(unit.pages)});
  }
  return all;
}

}  // namespace lbhm::migration
