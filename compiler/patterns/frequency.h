// How often something is executed, as LLVM guesses.
#pragma once

#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/IR/Instruction.h"

namespace lbhm::compiler {

/// For each call of the function.
inline double frequency_of(const llvm::Instruction& instruction, const llvm::BlockFrequencyInfo& frequencies) {
  const auto entry = static_cast<double>(frequencies.getEntryFreq().getFrequency());
  return static_cast<double>(frequencies.getBlockFreq(instruction.getParent()).getFrequency()) / entry;
}

}  // namespace lbhm::compiler
