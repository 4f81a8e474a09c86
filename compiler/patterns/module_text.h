// The JSON text of a module's patterns: schema lbhm.patterns.module/1, docs/patterns.md.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "compiler/patterns/nest_patterns.h"

namespace lbhm::compiler {

struct ModuleText {
  std::string text;
  std::uint64_t id;  ///< of 44 bits, a hash of the text without it
};

/// Bases are numbered through the nests, in their order.
ModuleText module_text(const llvm::Module& module, const std::vector<NestPatterns>& nests);

}  // namespace lbhm::compiler
