// Symbolic numbers as text in the source's names: "(n-2)/2".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "compiler/patterns/nest_patterns.h"
#include "compiler/patterns/source_names.h"

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

// The JSON text of a module's patterns: schema lbhm.patterns.module/1, docs/patterns.md.

struct ModuleText {
  std::string text;
  std::uint64_t id;  ///< of 44 bits, a hash of the text without it
};

/// Bases are numbered through the nests, in their order.
ModuleText module_text(const llvm::Module& module, const std::vector<NestPatterns>& nests);

}  // namespace lbhm::compiler
