// Symbolic numbers as text in the source's names: "(n-2)/2".
#pragma once

#include <optional>
#include <string>

#include "compiler/patterns/names.h"

namespace lbhm::compiler {

class ExpressionText {
 public:
  ExpressionText(const Names& with, llvm::ScalarEvolution& of) : names(with), evolution(of) {}

  /// Nothing if it has no name in the source (other loops' counters, results of computations).
  std::optional<std::string> of(const llvm::SCEV* expression) const;
  /// Bytes in units of an element: "-n", "2". In bytes, with the unit "B", if that is not whole.
  std::string elements(const llvm::SCEV* bytes, std::uint64_t element) const;

 private:
  struct Part {
    std::string text;
    int binding;  ///< 3 a name or number, 2 a product, 1 a sum
  };

  std::optional<Part> part(const llvm::SCEV* expression, unsigned depth) const;
  std::optional<Part> sum(const llvm::SCEVAddExpr& of, unsigned depth) const;
  std::optional<Part> product(const llvm::SCEVMulExpr& of, unsigned depth) const;
  std::optional<Part> limit(const llvm::SCEVMinMaxExpr& of, unsigned depth) const;
  std::optional<Part> unknown(const llvm::Value& value) const;
  const llvm::SCEV* divide(const llvm::SCEV* bytes, std::int64_t by) const;

  const Names& names;
  llvm::ScalarEvolution& evolution;
};

}  // namespace lbhm::compiler
