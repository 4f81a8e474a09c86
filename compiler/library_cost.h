// What calls of the mathematical library cost.
#pragma once

#include <cstdint>
#include <optional>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/InstrTypes.h"

namespace lbhm::compiler {

struct LibraryCost {
  std::uint64_t instructions;
  std::uint64_t latency;  ///< cycles
};

/// Of functions that are more than an instruction or two; nothing for others. Nominal values (an assumption) in three
/// classes. They follow glibc 2.36 on an AMD EPYC: instructions by callgrind, cycles by a loop of dependent calls.
std::optional<LibraryCost> library_cost(const llvm::CallBase& call, const llvm::TargetLibraryInfo& library);

/// Whether the call is a square root, which is an instruction.
bool is_square_root(const llvm::CallBase& call, const llvm::TargetLibraryInfo& library);

}  // namespace lbhm::compiler
