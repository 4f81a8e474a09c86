// The code that predicts branches as a processor would, and pushes those that it predicts wrongly.
//
// The first half of lbhm_emu_thread::predictor are gshare's two-bit counters, the second half holds a byte for each
// loop and switch: how often it ran, where it went.
#pragma once

#include <cstdint>

#include "compiler/instrument/branches.h"
#include "compiler/instrument/emitter.h"
#include "compiler/instrument/push.h"

namespace lbhm::compiler {

/// Outcomes that gshare looks at.
constexpr unsigned history_bits = 10;

class Predictor {
 public:
  Predictor(Locals& held, Pusher& with) : locals(held), pusher(with) {}

  /// `source`: number of the site that the condition comes from.
  void conditional(const Branch& branch, std::uint32_t source, const Flush& flush);
  void indirect(const Branch& branch, std::uint32_t source, const Flush& flush);
  /// In front of `at`, where the loop has just been left after `iterations`.
  void loop_exit(const LoopExit& exit, llvm::Value* iterations, llvm::Instruction& at, std::uint32_t source,
                 const Flush& flush);

 private:
  void expect(const Branch& branch, llvm::Value* byte, llvm::Instruction& at, std::uint32_t source, const Flush& flush,
              llvm::Value* wrong_anyway);
  void push_if(llvm::Value* wrong, llvm::Instruction& at, std::uint32_t source, const Flush& flush);

  Locals& locals;
  Pusher& pusher;
};

}  // namespace lbhm::compiler
