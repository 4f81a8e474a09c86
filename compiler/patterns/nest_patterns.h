// How often something is executed, as LLVM guesses.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiler/patterns/bases.h"
#include "compiler/patterns/classify.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/Instruction.h"

namespace lbhm::compiler {

/// For each call of the function.
inline double frequency_of(const llvm::Instruction& instruction, const llvm::BlockFrequencyInfo& frequencies) {
  const auto entry = static_cast<double>(frequencies.getEntryFreq().getFrequency());
  return static_cast<double>(frequencies.getBlockFreq(instruction.getParent()).getFrequency()) / entry;
}

// The patterns of all accesses of one loop nest (or of a copy that stands in none).

struct LoopText {
  unsigned line;  ///< 0: unknown
  unsigned depth;
  std::optional<std::string> trip;
};

struct AccessText {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  const llvm::Loop*
      moves_in;      ///< the innermost loop in which the address changes; else the innermost around it, or null
  std::size_t base;  ///< index in the nest
  unsigned line;
  std::optional<std::size_t> loop;  ///< index in the nest; nothing: a copy that stands in no loop
  CompiledPattern pattern;
  std::string type;
  bool transposed;
  bool sometimes;  ///< there are iterations without the step
  std::optional<std::string> step;
  llvm::SmallVector<std::string, 8> offsets;
  double frequency;
};

struct NestPatterns {
  const llvm::Function* function;
  unsigned line;                ///< 0: unknown
  std::vector<LoopText> loops;  ///< outermost first
  std::vector<Base> bases;
  std::vector<AccessText> accesses;
};

/// Nothing if there are no accesses.
std::optional<NestPatterns> find_patterns(const Nest& nest, StandIns& stand_ins, llvm::BlockFrequencyInfo& frequencies);

}  // namespace lbhm::compiler
