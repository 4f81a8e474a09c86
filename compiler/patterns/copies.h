// Copies and fills of whole blocks of memory that stand in no loop: calls of memcpy, memmove, memset, and what the
// optimiser made of loops that did nothing else.
#pragma once

#include <vector>

#include "compiler/patterns/nest_patterns.h"
#include "compiler/patterns/stand_in.h"

namespace lbhm::compiler {

/// Each is a nest without loops, a stream of bytes. What it goes through is noted in front of it.
void find_copies(llvm::Function& function, const StandIns& stand_ins, llvm::FunctionAnalysisManager& manager,
                 std::vector<NestPatterns>& nests);

}  // namespace lbhm::compiler
