#include "compiler/patterns/neighbours.h"

#include <algorithm>
#include <map>

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// A table of pointers that a loop goes through.
struct Matrix {
  const SCEV* first_place;  ///< from which the first row that was met is loaded
  const SCEV* root;         ///< that row in the first iteration
  const SCEV* row;          ///< bytes from one to the next
};

class Joiner {
 public:
  Joiner(const Nest& in, Resolver& with, StandIns& making) : nest(in), resolver(with), stand_ins(making) {}

  /// Whether the address is now one in a matrix.
  bool join(NestAccess& access) {
    const auto* base = dyn_cast_or_null<SCEVUnknown>(access.address.base);
    if (!base) return false;
    const StandIn* other = resolver.stand_in(base->getValue());
    const auto* load = dyn_cast_or_null<LoadInst>(other ? other->of : base->getValue());
    if (!load || !load->getType()->isPointerTy() || !nest.contains(load)) return false;
    const auto* place = dyn_cast<SCEVAddRecExpr>(resolver.resolve(const_cast<Value*>(load->getPointerOperand())));
    if (!place || !place->isAffine()) return false;
    const Matrix& matrix = matrix_of(*place, *base->getValue(), access.element);
    auto rows = steps_between(matrix.first_place, *place);
    if (!rows) return false;
    const SCEV* count = evolution.getConstant(matrix.row->getType(), static_cast<std::uint64_t>(*rows), true);
    const SCEV* start = evolution.getAddExpr(matrix.root, evolution.getMulExpr(matrix.row, count));
    move(access.address, *base->getValue(), start, {place->getLoop(), matrix.row});
    return true;
  }

 private:
  const Matrix& matrix_of(const SCEVAddRecExpr& place, const Value& pointer, std::uint64_t element) {
    const auto [found, added] =
        matrices.try_emplace({evolution.getPointerBase(&place), place.getLoop(), place.getStepRecurrence(evolution)});
    if (added) {
      Type* word = evolution.getEffectiveSCEVType(pointer.getType());
      Value* elements = stand_ins.make(word, {.of = nullptr, .level = &nest.outermost, .name = "row"});
      found->second = {
          .first_place = &place,
          .root = evolution.getUnknown(stand_ins.make(pointer.getType(), {.of = nullptr, .level = &nest.outermost})),
          .row = evolution.getMulExpr(evolution.getUnknown(elements), evolution.getConstant(word, element))};
    }
    return found->second;
  }

  /// How many iterations later the one loads what the other loads: nothing if that is no whole number.
  std::optional<std::int64_t> steps_between(const SCEV* first, const SCEVAddRecExpr& place) const {
    const auto* apart = dyn_cast<SCEVConstant>(evolution.getMinusSCEV(&place, first));
    const auto* step = dyn_cast<SCEVConstant>(place.getStepRecurrence(evolution));
    if (!apart || !step || step->isZero()) return std::nullopt;
    const std::int64_t bytes = apart->getAPInt().getSExtValue();
    const std::int64_t each = step->getAPInt().getSExtValue();
    return bytes % each == 0 ? std::optional(bytes / each) : std::nullopt;
  }

  void move(Address& address, const Value& pointer, const SCEV* start, const Step& step) const {
    ValueToSCEVMapTy to{{&pointer, evolution.getAddRecExpr(start, step.bytes, step.loop, SCEV::FlagAnyWrap)}};
    address.expression = SCEVParameterRewriter::rewrite(address.expression, evolution, to);
    address.base = evolution.getPointerBase(address.expression);
    address.steps.push_back(step);
    sort(address.steps, [](const Step& a, const Step& b) { return a.loop->getLoopDepth() > b.loop->getLoopDepth(); });
  }

  const Nest& nest;
  Resolver& resolver;
  StandIns& stand_ins;
  ScalarEvolution& evolution = nest.evolution;
  std::map<std::tuple<const SCEV*, const Loop*, const SCEV*>, Matrix> matrices;  ///< by table, loop and step
};

/// Rows or planes of run-time length are looked for this far away.
constexpr std::int64_t farthest = 4;

/// A step of run-time length.
struct SymbolicStep {
  std::size_t at;  ///< in the steps
  const Terms& terms;
  const Product* own = nullptr;  ///< a term that no later one has: it says how often this one is taken
};

class Splitter {
 public:
  /// `terms`: of each step; outlives the splitter.
  Splitter(ArrayRef<Step> all, ArrayRef<const Terms*> terms, std::size_t& tries)
      : steps(all), tries_left(tries), found(all.size(), 0) {
    for (std::size_t at = 0; at < steps.size(); ++at) {
      if (isa<SCEVConstant>(steps[at].bytes))
        known.push_back(at);
      else
        symbolic.push_back({at, *terms[at]});
    }
    sort(known, [&](std::size_t a, std::size_t b) { return size(a) > size(b); });
    for (std::size_t at = 0; at < symbolic.size(); ++at) symbolic[at].own = own_term(at);
  }

  bool split(const Terms& distance, std::size_t next = 0) {
    if (is_constant(distance)) return split(static_cast<std::int64_t>(times_in(distance, {})));
    if (next == symbolic.size()) return false;
    const auto& [at, step, own] = symbolic[next];
    for (std::int64_t count = 0; count <= farthest; count = count > 0 ? -count : 1 - count) {
      const auto times = static_cast<std::uint64_t>(count);
      if (own && times_in(distance, *own) != times * times_in(step, *own)) continue;  // nothing takes the rest of it
      if (tries_left == 0) break;
      --tries_left;
      found[at] = count;
      Terms rest = distance;
      add(rest, step, -times);
      if (split(rest, next + 1)) return true;
    }
    found[at] = 0;
    return false;
  }

  Neighbour take() { return std::move(found); }

 private:
  std::int64_t value(std::size_t at) const { return cast<SCEVConstant>(steps[at].bytes)->getAPInt().getSExtValue(); }
  std::int64_t size(std::size_t at) const { return std::abs(value(at)); }

  /// Null if there is none.
  const Product* own_term(std::size_t of) const {
    for (const auto& [product, times] : symbolic[of].terms) {
      const bool later = any_of(drop_begin(symbolic, of + 1),
                                [&](const SymbolicStep& other) { return times_in(other.terms, product) != 0; });
      if (!product.empty() && !later) return &product;
    }
    return nullptr;
  }

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
  std::size_t& tries_left;
  Neighbour found;
  SmallVector<std::size_t, 4> known;
  SmallVector<SymbolicStep, 4> symbolic;
};

}  // namespace

Replaced join_rows(std::vector<NestAccess>& accesses, const Nest& nest, Resolver& resolver, StandIns& stand_ins) {
  Joiner joiner(nest, resolver, stand_ins);
  Replaced replaced;
  for (std::size_t at = 0; at < accesses.size(); ++at) {
    if (is_random(accesses[at].pattern.kind)) continue;
    Address before = accesses[at].address;
    if (joiner.join(accesses[at])) replaced.emplace_back(at, std::move(before));
  }
  return replaced;
}

const Terms& Distances::terms(const SCEV* of) {
  const auto [at, added] = known.try_emplace(of);
  if (added) at->second = terms_of(of, evolution);
  return at->second;
}

std::optional<Neighbour> Distances::in_steps(const SCEV* distance, ArrayRef<Step> steps) {
  SmallVector<const Terms*, 8> lengths;
  for (const Step& step : steps) lengths.push_back(&terms(step.bytes));
  Splitter splitter(steps, lengths, left);
  if (!splitter.split(terms(distance))) return std::nullopt;
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
  bool whole = true;  // and near: halves of an array have no element between them
  for (std::size_t at = 0; at < middle.size(); ++at) {
    whole &= ((*low)[at] + (*high)[at]) % 2 == 0 && std::abs((*high)[at] - (*low)[at]) <= 2 * farthest;
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
