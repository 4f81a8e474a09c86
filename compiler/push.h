// The code that looks at the accesses of a segment and pushes those to a new line into the thread's buffer.
#pragma once

#include <functional>
#include <vector>

#include "compiler/locals.h"
#include "compiler/plan.h"

namespace lbhm::compiler {

/// LBHM_EMU_WRITE, LBHM_EMU_SERIAL and the site's number, as they stand in an entry.
std::uint64_t entry_flags(const llvm::Function& function, const Site& site);

class Pusher {
 public:
  Pusher(llvm::Function& of, Locals& held, llvm::Function* refill_function);

  /// Inserts the code in front of the segment's end. `flush` is called where counters held in registers must be in
  /// memory: on the slow path.
  void push(const Segment& segment, const std::function<void(llvm::IRBuilder<>&)>& flush);

 private:
  /// One address to look at.
  struct Probe {
    llvm::Value* address;    ///< i64; lanes: a vector of them
    llvm::Value* mask;       ///< lanes only
    llvm::AllocaInst* last;  ///< the last address seen; null: is pushed always
    std::uint64_t flags;
  };

  void push_group(llvm::Instruction* end, llvm::ArrayRef<Site> sites,
                  const std::function<void(llvm::IRBuilder<>&)>& flush);
  std::vector<Probe> probes_of(llvm::IRBuilder<>& builder, const Site& site);
  std::vector<Probe> plain_probes(llvm::IRBuilder<>& builder, const Site& site);
  std::vector<Probe> masked_probes(llvm::IRBuilder<>& builder, const Site& site);
  llvm::Value* any_changed(llvm::IRBuilder<>& builder, llvm::ArrayRef<Probe> probes);
  llvm::Value* difference(llvm::IRBuilder<>& builder, const Probe& probe);
  void make_room(llvm::Instruction* end, const std::function<void(llvm::IRBuilder<>&)>& flush);
  void push_one(llvm::IRBuilder<>& builder, const Probe& probe, bool changed);
  void push_lanes(llvm::IRBuilder<>& builder, const Probe& probe);
  void advance(llvm::IRBuilder<>& builder, llvm::Value* from, llvm::Value* bytes);
  llvm::Value* entry(llvm::IRBuilder<>& builder, llvm::Value* address, std::uint64_t flags);

  llvm::Function& function;
  Locals& locals;
  llvm::Function* refill;
  bool canonical;  ///< the target's user addresses have at most 48 bits
};

}  // namespace lbhm::compiler
