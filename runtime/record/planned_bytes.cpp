#include "runtime/record/planned_bytes.h"

#include <algorithm>
#include <numeric>

namespace lbhm {

std::vector<Bytes> planned_bytes(const MigrationPlan& plan, TierId tier, std::span<const SlotRange> objects) {
  std::vector<std::size_t> by_address(objects.size());
  std::iota(by_address.begin(), by_address.end(), std::size_t{0});
  const auto end_of = [&](std::size_t object) { return objects[object].address + objects[object].bytes.value; };
  std::ranges::sort(by_address, {}, [&](std::size_t object) { return objects[object].address; });
  std::vector<Bytes> planned(objects.size());
  for (const PageMove& move : plan.moves) {
    if (move.to != tier) continue;
    const std::uintptr_t end = move.address + move.bytes.value;
    // A move of whole pages may begin before its object, and hold several.
    for (auto at = std::ranges::upper_bound(by_address, move.address, {}, end_of);
         at != by_address.end() && objects[*at].address < end; ++at)
      planned[*at] += Bytes(std::min(end, end_of(*at)) - std::max(move.address, objects[*at].address));
  }
  return planned;
}

}  // namespace lbhm
