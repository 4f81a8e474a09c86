#include "compiler/patterns/family.h"

#include <algorithm>
#include <map>

#include "llvm/ADT/MapVector.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// How many of the families found last with one base are looked at: keeps long bodies linear.
constexpr std::size_t window = 8;

bool move_alike(const Address& one, const Address& other) {
  return one.steps.size() == other.steps.size() &&
         std::equal(one.steps.begin(), one.steps.end(), other.steps.begin(), [](const Step& a, const Step& b) {
           return a.loop == b.loop && a.bytes == b.bytes && a.outer == b.outer;
         });
}

/// Null if the distance is another one in each iteration.
const SCEV* distance(const NestAccess& from, const NestAccess& to, const Nest& nest) {
  if (from.loop != to.loop || from.access.shape == Shape::range || !move_alike(from.address, to.address))
    return nullptr;
  const SCEV* apart = nest.evolution.getMinusSCEV(to.address.expression, from.address.expression);
  if (isa<SCEVCouldNotCompute>(apart)) return nullptr;
  return nest.evolution.isLoopInvariant(apart, to.loop) ? apart : nullptr;
}

/// Without its constant part.
const SCEV* symbolic_part(const SCEV* bytes, ScalarEvolution& evolution) {
  if (isa<SCEVConstant>(bytes)) return evolution.getZero(bytes->getType());
  const auto* sum = dyn_cast<SCEVAddExpr>(bytes);
  if (!sum || !isa<SCEVConstant>(sum->getOperand(0))) return bytes;
  return evolution.getMinusSCEV(bytes, sum->getOperand(0));
}

std::int64_t constant_part(const SCEV* bytes) {
  const auto* sum = dyn_cast<SCEVAddExpr>(bytes);
  const auto* known = dyn_cast<SCEVConstant>(sum ? sum->getOperand(0) : bytes);
  return known ? known->getAPInt().sextOrTrunc(64).getSExtValue() : 0;
}

struct Interval {
  std::int64_t from, to;
  std::size_t access;
};

void set_runs(std::vector<Interval>& intervals, std::vector<NestAccess>& accesses) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return std::pair(a.from, a.to) < std::pair(b.from, b.to); });
  for (std::size_t first = 0; first < intervals.size();) {
    std::size_t last = first;
    std::int64_t end = intervals[first].to;
    while (last + 1 < intervals.size() && intervals[last + 1].from <= end) end = std::max(end, intervals[++last].to);
    const auto run = static_cast<std::uint64_t>(end - intervals[first].from);
    for (std::size_t at = first; at <= last; ++at) {
      NestAccess& access = accesses[intervals[at].access];
      access.run = std::max(access.run, run);
      Type* type = getLoadStoreType(access.access.instruction);
      access.pair = run == 2 * access.element && type->isFloatingPointTy();
    }
    first = last + 1;
  }
}

}  // namespace

std::vector<Family> find_families(const std::vector<NestAccess>& accesses, const Nest& nest) {
  std::vector<Family> families;
  DenseMap<const SCEV*, SmallVector<std::size_t, 4>> by_base;
  for (std::size_t at = 0; at < accesses.size(); ++at) {
    const NestAccess& access = accesses[at];
    if (!access.address.expression || access.address.steps.empty() || !access.address.scrambled.empty()) continue;
    auto& same = by_base[access.address.base];
    bool joined = false;
    for (std::size_t back = 0; back < same.size() && back < window && !joined; ++back) {
      Family& family = families[same[same.size() - 1 - back]];
      if (const SCEV* apart = distance(accesses[family.members[0].access], access, nest)) {
        family.members.push_back({at, apart});
        joined = true;
      }
    }
    if (joined) continue;
    same.push_back(families.size());
    Type* bytes = nest.evolution.getEffectiveSCEVType(access.access.pointer->getType());
    families.emplace_back().members.push_back({at, nest.evolution.getZero(bytes)});
  }
  return families;
}

void find_runs(const Family& family, std::vector<NestAccess>& accesses, const Nest& nest) {
  MapVector<const SCEV*, std::vector<Interval>> clusters;
  for (const FamilyMember& member : family.members) {
    if (!getLoadStorePointerOperand(accesses[member.access].access.instruction)) continue;
    std::int64_t from = constant_part(member.distance);
    clusters[symbolic_part(member.distance, nest.evolution)].push_back(
        {from, from + static_cast<std::int64_t>(accesses[member.access].element), member.access});
  }
  for (auto& [symbolic, intervals] : clusters) set_runs(intervals, accesses);
}

}  // namespace lbhm::compiler
