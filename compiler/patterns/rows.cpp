#include "compiler/patterns/rows.h"

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

}  // namespace lbhm::compiler
