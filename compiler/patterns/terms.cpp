#include "compiler/patterns/terms.h"

#include <algorithm>

#include "llvm/Analysis/ScalarEvolutionExpressions.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

/// Addresses that people write have fewer terms, and less in their expressions.
constexpr std::size_t most_terms = 64;
constexpr unsigned largest_expression = 512;

Terms value(const SCEV* number) { return {{{number}, 1}}; }

Terms multiply(const Terms& one, const Terms& other) {
  Terms result;
  for (const auto& [product, times] : one) {
    for (const auto& [more, more_times] : other) {
      Product both = product;
      both.append(more.begin(), more.end());
      std::sort(both.begin(), both.end());
      add(result, {{both, 1}}, times * more_times);
    }
  }
  return result;
}

Terms sum_of(const SCEVAddExpr& sum, ScalarEvolution& evolution) {
  Terms result;
  for (const SCEV* part : sum.operands()) add(result, terms_of(part, evolution), 1);
  return result;
}

Terms product_of(const SCEVMulExpr& product, ScalarEvolution& evolution) {
  Terms result{{{}, 1}};
  for (const SCEV* factor : product.operands()) {
    const Terms terms = terms_of(factor, evolution);
    if (result.size() * terms.size() > most_terms) return value(&product);
    result = multiply(result, terms);
  }
  return result;
}

/// Its start, and its step as often as the loop has gone round.
Terms recurrence_of(const SCEVAddRecExpr& recurrence, ScalarEvolution& evolution) {
  const SCEV* step = recurrence.getOperand(1);
  const SCEV* rounds = evolution.getAddRecExpr(evolution.getZero(step->getType()), evolution.getOne(step->getType()),
                                               recurrence.getLoop(), SCEV::FlagAnyWrap);
  Terms result = terms_of(recurrence.getStart(), evolution);
  add(result, multiply(terms_of(step, evolution), value(rounds)), 1);
  return result;
}

}  // namespace

Terms terms_of(const SCEV* number, ScalarEvolution& evolution) {
  if (const auto* constant = dyn_cast<SCEVConstant>(number)) {
    const std::uint64_t times = constant->getAPInt().sextOrTrunc(64).getZExtValue();
    return times == 0 ? Terms{} : Terms{{{}, times}};
  }
  if (number->getExpressionSize() > largest_expression) return value(number);
  if (const auto* sum = dyn_cast<SCEVAddExpr>(number)) return sum_of(*sum, evolution);
  if (const auto* product = dyn_cast<SCEVMulExpr>(number)) return product_of(*product, evolution);
  const auto* recurrence = dyn_cast<SCEVAddRecExpr>(number);
  return recurrence && recurrence->isAffine() ? recurrence_of(*recurrence, evolution) : value(number);
}

std::uint64_t times_in(const Terms& sum, const Product& product) {
  const auto found = sum.find(product);
  return found == sum.end() ? 0 : found->second;
}

void add(Terms& sum, const Terms& other, std::uint64_t times) {
  for (const auto& [product, each] : other) {
    const auto at = sum.try_emplace(product, 0).first;
    at->second += each * times;
    if (at->second == 0) sum.erase(at);
  }
}

bool is_constant(const Terms& sum) { return sum.empty() || (sum.size() == 1 && sum.begin()->first.empty()); }

}  // namespace lbhm::compiler
