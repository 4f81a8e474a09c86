// What is to be inserted into one function, decided before anything is changed.
#pragma once

#include <cstdint>
#include <vector>

#include "compiler/instrument/access_sites.h"
#include "compiler/instrument/branches.h"
#include "compiler/instrument/instruction_cost.h"
#include "compiler/instrument/iteration_chain.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

using BlockCosts = llvm::MapVector<llvm::BasicBlock*, BlockCost>;

// What happens to the thread's buffer at calls, returns and throws.

/// Where registers and struct lbhm_emu_thread must agree.
enum class Boundary : std::uint8_t {
  none,   ///< the instruction runs no instrumented code
  call,   ///< write back before, reload after
  leave,  ///< write back before; the function does not go on (return, resume, call in tail position, noreturn call)
  raise,  ///< an invoke: write back before, reload at both successors
  order,  ///< an operation whose order matters between threads: write back and wait for its turn before, reload after
  after,  ///< a return right after a call that was a `leave`: nothing to do
};

Boundary boundary_of(const llvm::Instruction& instruction, const llvm::TargetLibraryInfo& library);

// Where the counters of instructions, slots, accesses, vectors and branches are added up.
//
// Every block adds constants. In an innermost loop without calls that would cost several additions a block; there each
// class of blocks that run equally often has one trip count, and the constants are multiplied in when the loop is left.

/// Blocks of a loop that always run equally often, counted in the first of them.
struct TripCount {
  llvm::BasicBlock* leader;
  BlockCost cost;
};

struct CountedLoop {
  const llvm::Loop* loop = nullptr;
  llvm::SmallVector<TripCount, 4> trips;  ///< the first one counts the iterations
  llvm::SmallVector<llvm::BasicBlock*, 4> exits;
  /// Of a loop that its chain limits: its time counts instead of its slots. Otherwise 0 cycles.
  Chain chain;
};

/// Moves the costs of blocks in innermost loops into counted loops; blocks in `crossed` hold calls.
std::vector<CountedLoop> count_loops(const llvm::LoopInfo& loops, const llvm::DominatorTree& dominators,
                                     const llvm::PostDominatorTree& postdominators,
                                     const llvm::SmallPtrSetImpl<llvm::BasicBlock*>& crossed, const CostModel& model,
                                     BlockCosts& costs);

// What is to be inserted into one function, decided before anything is changed.

/// Code without calls; its sites are looked at in front of `end`.
struct CallFreeSegment {
  llvm::Instruction* end;
  std::vector<Site> sites;
};

/// An instruction at which the buffer's state must be in memory, and the copies that it makes.
struct Crossing {
  llvm::Instruction* at;
  Boundary kind;
  std::vector<Site> ranges;
  const llvm::LoadInst* look = nullptr;  ///< order: by it a thread may wait for another one's store
};

struct FunctionPlan {
  std::vector<CallFreeSegment> segments;
  std::vector<Crossing> crossings;
  BlockCosts costs;
  std::vector<CountedLoop> loops;
  Branches branches;
  llvm::DenseMap<const llvm::Instruction*, std::uint32_t> numbers;  ///< of the sites, by their instructions
  unsigned sites = 0;
  unsigned skipped = 0;
};

/// `reference`: whose latencies stand for those of all processors.
FunctionPlan make_plan(llvm::Function& function, const llvm::TargetTransformInfo& reference,
                       llvm::FunctionAnalysisManager& analyses);

/// The calls at which the buffer's state must be in memory.
llvm::SmallVector<llvm::CallBase*, 16> calls_in(const FunctionPlan& plan);

/// What there is to say of the function's sites.
void add_records(const FunctionPlan& plan, std::vector<SiteRecord>& records);

}  // namespace lbhm::compiler
