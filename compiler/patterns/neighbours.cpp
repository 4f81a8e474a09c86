#include "compiler/patterns/neighbours.h"

#include <algorithm>

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Rows or planes of run-time length are looked for this far away.
constexpr std::int64_t farthest = 4;

class Splitter {
 public:
  Splitter(ArrayRef<Step> all, ScalarEvolution& with) : steps(all), evolution(with), found(all.size(), 0) {
    for (std::size_t at = 0; at < steps.size(); ++at)
      (isa<SCEVConstant>(steps[at].bytes) ? known : symbolic).push_back(at);
    sort(known, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
  }

  bool split(const SCEV* distance, std::size_t next = 0) {
    if (const auto* constant = dyn_cast<SCEVConstant>(distance))
      return split(constant->getAPInt().sextOrTrunc(64).getSExtValue());
    if (next == symbolic.size()) return false;
    const std::size_t at = symbolic[next];
    for (std::int64_t count = 0; count <= farthest; count = count > 0 ? -count : 1 - count) {
      found[at] = count;
      const SCEV* part = evolution.getMulExpr(
          steps[at].bytes, evolution.getConstant(steps[at].bytes->getType(), static_cast<std::uint64_t>(count), true));
      if (split(evolution.getMinusSCEV(distance, part), next + 1)) return true;
    }
    found[at] = 0;
    return false;
  }

  Neighbour take() { return std::move(found); }

 private:
  std::int64_t value(std::size_t at) const { return cast<SCEVConstant>(steps[at].bytes)->getAPInt().getSExtValue(); }
  std::int64_t size(std::size_t at) const { return std::abs(value(at)); }

  /// The larger steps first, each as often as leaves the least.
  bool split(std::int64_t rest) {
    for (std::size_t at : known) {
      if (size(at) == 0) continue;
      std::int64_t count = (std::abs(rest) + size(at) / 2) / size(at) * (rest < 0 ? -1 : 1);
      if (at == known.back()) count = rest / size(at);
      rest -= count * size(at);
      found[at] = value(at) < 0 ? -count : count;
    }
    return rest == 0;
  }

  ArrayRef<Step> steps;
  ScalarEvolution& evolution;
  Neighbour found;
  SmallVector<std::size_t, 4> known, symbolic;
};

}  // namespace

std::optional<Neighbour> in_steps(const SCEV* distance, ArrayRef<Step> steps, ScalarEvolution& evolution) {
  Splitter splitter(steps, evolution);
  if (!splitter.split(distance)) return std::nullopt;
  return splitter.take();
}

const SCEV* distance_of(const Neighbour& neighbour, ArrayRef<Step> steps, Type* type, ScalarEvolution& evolution) {
  const SCEV* sum = evolution.getZero(type);
  for (std::size_t at = 0; at < steps.size(); ++at) {
    const SCEV* count = evolution.getConstant(type, static_cast<std::uint64_t>(neighbour[at]), true);
    sum = evolution.getAddExpr(sum, evolution.getMulExpr(steps[at].bytes, count));
  }
  return sum;
}

Neighbour centre_of(ArrayRef<Neighbour> reads, ArrayRef<Neighbour> writes) {
  SmallVector<Neighbour, 16> candidates(writes.begin(), writes.end());
  candidates.append(reads.begin(), reads.end());
  const auto [low, high] = std::minmax_element(reads.begin(), reads.end());
  Neighbour middle = *low;
  bool whole = true;
  for (std::size_t at = 0; at < middle.size(); ++at) {
    whole &= ((*low)[at] + (*high)[at]) % 2 == 0;
    middle[at] = ((*low)[at] + (*high)[at]) / 2;
  }
  if (whole) candidates.push_back(middle);
  auto mirrored = [&](const Neighbour& centre) {
    return count_if(reads, [&](const Neighbour& read) {
      Neighbour image = centre;
      for (std::size_t at = 0; at < image.size(); ++at) image[at] = 2 * centre[at] - read[at];
      return is_contained(reads, image);
    });
  };
  return *std::max_element(candidates.begin(), candidates.end(),
                           [&](const Neighbour& a, const Neighbour& b) { return mirrored(a) < mirrored(b); });
}

}  // namespace lbhm::compiler
