#include "compiler/blocks/counting.h"

#include "compiler/blocks/table.h"
#include "compiler/module_symbols.h"
#include "compiler/variables.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/xxhash.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

class CountEmitter {
 public:
  CountEmitter(Function& of, BlockPlan& with, GlobalVariable& array, std::uint64_t first)
      : plan(with), variables(of), first_number(first), counts(nullptr) {
    IRBuilder<> builder(variables.body());
    counts = thread_local_address(builder, array);
  }

  void emit() {
    for (std::size_t i = 0; i < plan.counters.size(); ++i) emit(plan.counters[i], first_number + i);
    for (auto& [nest, held] : nests) flush_at_exits(*nest, held);
    variables.promote();
  }

 private:
  struct Held {
    AllocaInst* variable;
    std::uint64_t number;
  };

  void emit(const BlockCounter& counter, std::uint64_t number) {
    IRBuilder<> builder(place_of(counter));
    Value* times = builder.getInt64(1);
    if (counter.trips) {
      times = plan.expander->expandCodeFor(counter.trips->times, builder.getInt64Ty(), &*builder.GetInsertPoint());
      builder.SetInsertPoint(counter.trips->preheader->getTerminator());
    }
    if (!counter.nest) return add(builder, in_memory(builder, number), times);
    AllocaInst* variable = variables.number("lbhm.executions", 0);
    nests[counter.nest].push_back({variable, number});
    add(builder, variable, times);
  }

  Instruction* place_of(const BlockCounter& counter) const {
    if (counter.trips) return counter.trips->preheader->getTerminator();
    return counter.leader.from ? counter.leader.from : variables.start_of(*counter.leader.block);
  }

  Value* in_memory(IRBuilder<>& builder, std::uint64_t number) const {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt64Ty(), counts, number);
  }

  static void add(IRBuilder<>& builder, Value* where, Value* times) {
    builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), where), times), where);
  }

  /// An exit may also be reached from elsewhere: then the registers hold 0.
  void flush_at_exits(const Loop& nest, ArrayRef<Held> held) {
    SmallVector<BasicBlock*, 4> exits;
    nest.getUniqueExitBlocks(exits);
    for (BasicBlock* exit : exits) {
      IRBuilder<> builder(variables.start_of(*exit));
      for (const Held& each : held) {
        add(builder, in_memory(builder, each.number), builder.CreateLoad(builder.getInt64Ty(), each.variable));
        builder.CreateStore(builder.getInt64(0), each.variable);
      }
    }
  }

  BlockPlan& plan;
  Variables variables;
  std::uint64_t first_number;
  Value* counts;
  MapVector<const Loop*, SmallVector<Held, 4>> nests;
};

}  // namespace

BlockCounting::BlockCounting(Module& of) : module(of), code(StructuralHash(of, true)) {
  Type* word = Type::getInt64Ty(module.getContext());
  counts = new GlobalVariable(module, word, false, GlobalValue::InternalLinkage, ConstantInt::get(word, 0),
                              Twine(blocks_prefix) + "placeholder", nullptr, GlobalValue::GeneralDynamicTLSModel);
}

void BlockCounting::describe(const Function& function, const BlockPlan& plan) {
  const std::uint64_t hash = xxh3_64bits(function.getName());
  for (const BlockCounter& counter : plan.counters)
    entries.push_back({hash, static_cast<std::uint32_t>(names.size()), counter.facts});
  names += function.getName();
  names += '\0';
}

void BlockCounting::count(Function& function, BlockPlan plan) {
  const std::size_t first = entries.size();
  describe(function, plan);
  CountEmitter(function, plan, *counts, first).emit();
}

void BlockCounting::finish() {
  if (!entries.empty()) add_block_table(module, {code, entries, names}, *counts);
  counts->eraseFromParent();
}

}  // namespace lbhm::compiler
