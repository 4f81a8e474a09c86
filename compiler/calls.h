// What happens to the thread's buffer at calls, returns and throws.
#pragma once

#include <cstdint>

#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

/// Where registers and struct lbhm_emu_thread must agree.
enum class Boundary : std::uint8_t {
  none,   ///< the instruction runs no instrumented code
  call,   ///< write back before, reload after
  leave,  ///< write back before; the function does not go on (return, resume, call in tail position, noreturn call)
  raise,  ///< an invoke: write back before, reload at both successors
  order,  ///< an atomic operation whose result is used: write back and wait for its turn before, reload after
  after,  ///< a return right after a call that was a `leave`: nothing to do
};

Boundary boundary_of(const llvm::Instruction& instruction, const llvm::TargetLibraryInfo& library);

/// Whether the operation's result tells threads apart, so that the order in which they come to it matters: an atomic
/// read-modify-write whose result is used.
bool hands_out_order(const llvm::Instruction& instruction);

}  // namespace lbhm::compiler
