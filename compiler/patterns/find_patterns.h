// The pass that finds the access patterns of a module.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/patterns/nest.h"
#include "compiler/patterns/nest_patterns.h"
#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

// Copies and fills of whole blocks of memory that stand in no loop: calls of memcpy, memmove, memset, and what the
// optimiser made of loops that did nothing else.

/// Each is a nest without loops, a stream of bytes. What it goes through is noted in front of it.
void find_copies(llvm::Function& function, const StandIns& stand_ins, llvm::FunctionAnalysisManager& manager,
                 std::vector<NestPatterns>& nests);

// Calls that tell a tracer every address: for checks of the patterns, not for users (bench/run patterns).

/// Whether LBHM_PLUGIN_TRACE=1 asks for it.
bool is_tracing();

/// In front of every access a call of lbhm_trace_v1(number, address), and of lbhm_trace_begin_v1(number) in front of
/// the loop in which its address moves (of the access itself, if it is a copy outside of loops). Numbers follow the
/// module's text (id << LBHM_BASE_BITS | position); accesses outside of loops have the last number there is. The
/// program is to be linked with a tracer.
void add_trace(llvm::Module& module, const std::vector<NestPatterns>& nests, std::uint64_t id,
               llvm::FunctionAnalysisManager& manager);

// The pass that finds the access patterns of a module.

/// To run before loops are unrolled and vectorised. Adds the module's text and the notes of its bases.
struct FindPatterns : llvm::PassInfoMixin<FindPatterns> {
  static llvm::PreservedAnalyses run(llvm::Module& module, llvm::ModuleAnalysisManager& analyses);
};

}  // namespace lbhm::compiler
