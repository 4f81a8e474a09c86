#include "compiler/cluster.h"

#include <algorithm>
#include <optional>

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// How many of the sites found last are looked at: keeps long blocks linear.
constexpr std::size_t window = 32;
/// Bytes; keeps the entries of one site far below the room that a check of the buffer gives.
constexpr std::int64_t longest_site = 32 * line_bytes;

/// Bytes from the first access of the site to this one, if that is a constant.
std::optional<std::int64_t> distance(const Site& site, const Access& access, ScalarEvolution& evolution) {
  if (access.shape != Shape::plain || site.access.shape != Shape::plain) return std::nullopt;
  if (access.write != site.access.write || access.serial != site.access.serial) return std::nullopt;
  if (access.pointer == site.access.pointer) return 0;
  auto difference =
      evolution.computeConstantDifference(evolution.getSCEV(access.pointer), evolution.getSCEV(site.access.pointer));
  if (!difference || difference->getSignificantBits() > 32) return std::nullopt;
  return difference->getSExtValue();
}

bool is_ascending(const Access& access, ScalarEvolution& evolution) {
  if (access.shape != Shape::plain) return false;
  const auto* recurrence = dyn_cast<SCEVAddRecExpr>(evolution.getSCEV(access.pointer));
  return recurrence && recurrence->isAffine() && evolution.isKnownPositive(recurrence->getStepRecurrence(evolution));
}

/// Takes the access into the site if the hole between them is smaller than a line.
bool join(Site& site, const Access& access, ScalarEvolution& evolution) {
  auto from = distance(site, access, evolution);
  if (!from) return false;
  std::int64_t to = *from + static_cast<std::int64_t>(access.bytes);
  if (*from >= site.high + line_bytes || to <= site.low - line_bytes) return false;
  if (std::max(site.high, to) - std::min(site.low, *from) > longest_site) return false;
  site.low = std::min(site.low, *from);
  site.high = std::max(site.high, to);
  return true;
}

}  // namespace

SmallVector<std::int64_t, 4> probe_offsets(const Site& site) {
  SmallVector<std::int64_t, 4> offsets;
  for (std::int64_t at = site.low; at < site.high; at += line_bytes) offsets.push_back(at);
  auto alignment = static_cast<std::int64_t>(std::min<std::uint64_t>(site.access.align.value(), line_bytes));
  bool aligned = site.low % alignment == 0;
  std::int64_t after_last = site.high - offsets.back();
  if (after_last > 1 && !(aligned && after_last <= alignment)) offsets.push_back(site.high - 1);
  return offsets;
}

unsigned entries_of(const Site& site) {
  if (site.access.shape == Shape::plain) return static_cast<unsigned>(probe_offsets(site).size());
  if (site.access.shape != Shape::lanes) return 2;
  return cast<FixedVectorType>(site.access.pointer->getType())->getNumElements();
}

std::vector<Site> cluster(ArrayRef<Access> accesses, ScalarEvolution& evolution) {
  std::vector<Site> sites;
  for (const Access& access : accesses) {
    auto oldest = sites.size() > window ? sites.end() - window : sites.begin();
    auto near = std::find_if(oldest, sites.end(), [&](Site& site) { return join(site, access, evolution); });
    if (near == sites.end())
      sites.push_back({.access = access,
                       .high = static_cast<std::int64_t>(access.bytes),
                       .ascending = is_ascending(access, evolution)});
  }
  return sites;
}

}  // namespace lbhm::compiler
