// The code that looks at the accesses of a segment and pushes those to a new line into the thread's buffer.
//
// In a loop a site compares with the last line that it saw and branches; outside it pushes at once. The branch is
// predicted well, since lines change in a regular way or always: writing every entry and advancing `next` only for new
// lines (no branch), and one branch around a block's sites, were both slower in all of triad, gather, SpMV and Jacobi.
#pragma once

#include <functional>
#include <vector>

#include "compiler/instrument/emitter.h"
#include "compiler/instrument/instrumentation_plan.h"

namespace lbhm::compiler {

/// LBHM_EMU_WRITE and the site's number, as they stand in an entry.
std::uint64_t entry_flags(const Site& site);

/// Code for the slow path: brings counters that are held in registers into memory.
using Flush = std::function<void(llvm::IRBuilder<>&)>;

class Pusher {
 public:
  Pusher(llvm::Function& of, Locals& held, llvm::Function* refill_function);

  /// Inserts the code in front of the segment's end, with one check for room, or several if the segment is long.
  void push(const CallFreeSegment& segment, const Flush& flush);
  /// Inserts in front of `before` a mispredicted branch whose condition comes from the load with this number.
  void push_branch(llvm::Instruction& before, std::uint32_t source, const Flush& flush);

 private:
  void make_room(const Flush& flush);
  void push_site(const Site& site);
  void push_plain(const Site& site);
  void push_masked(const Site& site);
  void push_lanes(const Site& site);
  void push_if_new(llvm::Value* address, llvm::AllocaInst* last, llvm::Value* other_end);
  void push_now(llvm::Value* address, llvm::Value* kept);
  void advance(llvm::Value* from, llvm::Value* bytes);
  llvm::Value* is_other_line(llvm::Value* left, llvm::Value* right);
  llvm::Value* entry(llvm::Value* address);

  Locals& locals;
  llvm::Function& function;
  llvm::Function* refill;
  bool canonical;  ///< the target's user addresses have at most 48 bits
  llvm::IRBuilder<> builder;
  llvm::Instruction* end = nullptr;  ///< of the segment at hand
  std::uint64_t flags = 0;           ///< of the site at hand
};

}  // namespace lbhm::compiler
