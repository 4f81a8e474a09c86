// What is to be inserted into one function, decided before anything is changed.
#pragma once

#include <vector>

#include "compiler/branches.h"
#include "compiler/calls.h"
#include "compiler/cluster.h"
#include "compiler/counters.h"
#include "compiler/site_table.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

namespace lbhm::compiler {

/// Code without calls; its sites are looked at in front of `end`.
struct Segment {
  llvm::Instruction* end;
  std::vector<Site> sites;
};

/// An instruction at which the buffer's state must be in memory, and the copies that it makes.
struct Crossing {
  llvm::Instruction* at;
  Boundary kind;
  std::vector<Site> ranges;
};

struct FunctionPlan {
  std::vector<Segment> segments;
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
