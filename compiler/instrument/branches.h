// How a processor would predict each branch of a function.
//
// Three kinds. The end of a loop that counts is found by a loop detector: it knows how often the loop ran the last
// time, if that was at most `longest_counted_loop` times. A switch is one indirect jump, predicted to go where it went
// the last time. All others, and the ends of loops that depend on what the loop reads, are predicted by gshare
// (McFarling, Combining Branch Predictors, DEC WRL Technical Note TN-36, 1993), and so are the selections that the code
// generator makes branches of (code_generator.h).
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/instrument/accesses.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

namespace lbhm::compiler {

/// Iterations that a loop detector counts to. Assumption: Intel's had counters of 6 bits (Fog, The microarchitecture of
/// Intel, AMD and VIA CPUs, section 3: Pentium M).
constexpr std::uint64_t longest_counted_loop = 64;

/// Places for hashes of branches in the predictor.
constexpr std::uint64_t predictor_slots = 2048;

struct Branch {
  llvm::Instruction* terminator;        ///< a conditional branch or a switch, or of the block of `select`
  std::uint32_t slot;                   ///< hash of the branch: its place in the predictor
  llvm::Instruction* condition_from;    ///< the load that decides; null: none
  llvm::Instruction* select = nullptr;  ///< of which the code generator makes the branch
};

/// A conditional branch out of a loop that counts.
struct LoopExit {
  Branch branch;
  unsigned successor;  ///< the way out
  const llvm::Loop* loop;
  bool never_predicted;  ///< known to run longer than a loop detector counts
};

struct Branches {
  std::vector<Branch> conditional;
  std::vector<Branch> switches;
  std::vector<LoopExit> exits;
};

/// Sorts the branches of a function.
class BranchSorter {
 public:
  BranchSorter(const llvm::Function& of, const llvm::LoopInfo& with, llvm::ScalarEvolution& knows,
               const LoadDependences& depends)
      : function(of), loops(with), evolution(knows), dependences(depends) {}

  /// Returns whether the terminator is a branch that counts.
  bool add(llvm::Instruction& terminator);
  /// A selection that becomes a branch.
  void add_select(llvm::Instruction& select);

  Branches sorted;

 private:
  std::uint32_t next_slot();
  void add_conditional(llvm::BranchInst& branch, const Branch& with);
  void add_exit(const LoopExit& exit);
  bool depends_on_what_it_reads(const Branch& branch) const;

  const llvm::Function& function;
  const llvm::LoopInfo& loops;
  llvm::ScalarEvolution& evolution;
  const LoadDependences& dependences;
  unsigned seen = 0;
};

}  // namespace lbhm::compiler
