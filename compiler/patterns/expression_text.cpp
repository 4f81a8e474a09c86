#include "compiler/patterns/expression_text.h"

namespace lbhm::compiler {

using namespace llvm;

namespace {

constexpr unsigned deepest_text = 8;
constexpr std::size_t longest_text = 200;

std::string bound(const std::string& text, bool enough) { return enough ? text : "(" + text + ")"; }

}  // namespace

std::optional<std::string> ExpressionText::of(const SCEV* expression) const {
  auto whole = part(expression, deepest_text);
  if (!whole || whole->text.size() > longest_text) return std::nullopt;
  return whole->text;
}

std::optional<ExpressionText::Part> ExpressionText::part(const SCEV* expression, unsigned depth) const {
  if (depth == 0) return std::nullopt;
  if (const auto* constant = dyn_cast<SCEVConstant>(expression))
    return Part{std::to_string(constant->getAPInt().sextOrTrunc(64).getSExtValue()), 3};
  if (const auto* cast = dyn_cast<SCEVCastExpr>(expression)) return part(cast->getOperand(), depth - 1);
  if (const auto* add = dyn_cast<SCEVAddExpr>(expression)) return sum(*add, depth - 1);
  if (const auto* multiply = dyn_cast<SCEVMulExpr>(expression)) return product(*multiply, depth - 1);
  if (const auto* minmax = dyn_cast<SCEVMinMaxExpr>(expression)) return limit(*minmax, depth - 1);
  if (const auto* division = dyn_cast<SCEVUDivExpr>(expression)) {
    const auto* by = dyn_cast<SCEVConstant>(division->getRHS());
    const SCEV* exact = by ? divide(division->getLHS(), by->getAPInt().getSExtValue()) : nullptr;
    if (exact) return part(exact, depth - 1);
    auto above = part(division->getLHS(), depth - 1);
    auto below = part(division->getRHS(), depth - 1);
    if (!above || !below) return std::nullopt;
    return Part{bound(above->text, above->binding > 1) + "/" + bound(below->text, below->binding > 2), 2};
  }
  if (const auto* value = dyn_cast<SCEVUnknown>(expression)) return unknown(*value->getValue());
  return std::nullopt;
}

/// What stands on in positive form first, constants last.
std::optional<ExpressionText::Part> ExpressionText::sum(const SCEVAddExpr& of, unsigned depth) const {
  std::string positive, negative, constant;
  for (const SCEV* operand : of.operands()) {
    auto each = part(operand, depth);
    if (!each) return std::nullopt;
    bool minus = each->text.front() == '-';
    if (isa<SCEVConstant>(operand))
      constant = minus ? each->text : "+" + each->text;
    else if (minus)
      negative += each->text;
    else
      positive += (positive.empty() ? "" : "+") + each->text;
  }
  // The end of a container less its beginning, both of which go by its name.
  if (!positive.empty() && constant.empty() && negative == "-" + positive) return Part{"bytes(" + positive + ")", 3};
  std::string text = positive + negative + constant;
  if (text.front() == '+') text.erase(0, 1);
  return Part{text, 1};
}

std::optional<ExpressionText::Part> ExpressionText::product(const SCEVMulExpr& of, unsigned depth) const {
  std::string text;
  bool minus = false;
  for (const SCEV* operand : of.operands()) {
    const auto* constant = dyn_cast<SCEVConstant>(operand);
    if (constant && constant->getAPInt().isAllOnes()) {
      minus = true;
      continue;
    }
    auto each = part(operand, depth);
    if (!each) return std::nullopt;
    text += (text.empty() ? "" : "*") + bound(each->text, each->binding > 1);
  }
  return Part{(minus ? "-" : "") + text, 2};
}

/// max(n, 1) is n: loops that run not at all are of no interest.
std::optional<ExpressionText::Part> ExpressionText::limit(const SCEVMinMaxExpr& of, unsigned depth) const {
  bool largest = isa<SCEVSMaxExpr, SCEVUMaxExpr>(of);
  std::string text;
  unsigned count = 0;
  std::optional<Part> last;
  for (const SCEV* operand : of.operands()) {
    const auto* constant = dyn_cast<SCEVConstant>(operand);
    if (largest && constant && constant->getAPInt().sle(1)) continue;
    last = part(operand, depth);
    if (!last) return std::nullopt;
    text += (count++ == 0 ? "" : ",") + last->text;
  }
  if (count == 1) return last;
  return Part{(largest ? "max(" : "min(") + text + ")", 3};
}

std::optional<ExpressionText::Part> ExpressionText::unknown(const Value& value) const {
  Named named = names.of(value);
  if (StringRef(named.through) == "value" && StringRef(named.name).starts_with("value")) return std::nullopt;
  if (StringRef(named.name).starts_with("loaded")) return std::nullopt;
  return Part{named.name, 3};
}

/// Null if something is left.
const SCEV* ExpressionText::divide(const SCEV* bytes, std::int64_t by) const {
  if (const auto* constant = dyn_cast<SCEVConstant>(bytes)) {
    std::int64_t value = constant->getAPInt().sextOrTrunc(64).getSExtValue();
    if (value % by != 0) return nullptr;
    return evolution.getConstant(bytes->getType(), static_cast<std::uint64_t>(value / by), true);
  }
  SmallVector<const SCEV*, 4> parts;
  if (const auto* multiply = dyn_cast<SCEVMulExpr>(bytes)) {
    append_range(parts, multiply->operands());
    if (!isa<SCEVConstant>(parts[0])) return nullptr;
    parts[0] = divide(parts[0], by);
    return parts[0] ? evolution.getMulExpr(parts) : nullptr;
  }
  const auto* add = dyn_cast<SCEVAddExpr>(bytes);
  if (!add) return nullptr;
  for (const SCEV* operand : add->operands()) {
    parts.push_back(divide(operand, by));
    if (!parts.back()) return nullptr;
  }
  return evolution.getAddExpr(parts);
}

std::string ExpressionText::elements(const SCEV* bytes, std::uint64_t element) const {
  const SCEV* whole = divide(bytes, static_cast<std::int64_t>(element));
  auto text = of(whole ? whole : bytes);
  if (!text) return "?";
  return whole ? *text : *text + "B";
}

}  // namespace lbhm::compiler
