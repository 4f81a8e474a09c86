// Calls that tell a tracer every address: for checks of the patterns, not for users (bench/run patterns).
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/patterns/nest_patterns.h"

namespace lbhm::compiler {

/// Whether LBHM_PLUGIN_TRACE=1 asks for it.
bool is_tracing();

/// In front of every access a call of lbhm_trace_v1(number, address), and of lbhm_trace_begin_v1(number) in front of
/// the loop in which its address moves (of the access itself, if it is a copy outside of loops). Numbers follow the
/// module's text (id << LBHM_BASE_BITS | position); accesses outside of loops have the last number there is. The
/// program is to be linked with a tracer.
void add_trace(llvm::Module& module, const std::vector<NestPatterns>& nests, std::uint64_t id,
               llvm::FunctionAnalysisManager& manager);

}  // namespace lbhm::compiler
