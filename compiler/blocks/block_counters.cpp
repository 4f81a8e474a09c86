#include "compiler/blocks/block_counters.h"

#include "compiler/instrument/added_code.h"
#include "compiler/link/buffer_symbols.h"
#include "compiler/link/runtime_lookup.h"
#include "lbhm/block_counts.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/StructuralHash.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

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

class TableWriter {
 public:
  TableWriter(Module& of, const BlockTable& with) : module(of), table(with), builder(of.getContext()) {}

  void write(GlobalVariable& placeholder) {
    GlobalVariable* array = counts(placeholder);
    GlobalVariable* record = describe(*accessor(*array));
    appendToGlobalCtors(module, teller("begin", LBHM_BLOCKS_NAME, *record), 0);
    appendToGlobalDtors(module, teller("end", LBHM_BLOCKS_GONE_NAME, *record), 0);
  }

 private:
  /// Opaque pointers: only the declaration knows how long the array is.
  GlobalVariable* counts(GlobalVariable& placeholder) {
    auto* type = ArrayType::get(builder.getInt64Ty(), table.entries.size());
    auto* array = new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, Constant::getNullValue(type),
                                     Twine(blocks_prefix) + "counts", nullptr, GlobalValue::GeneralDynamicTLSModel);
    array->setAlignment(Align(8));
    placeholder.replaceAllUsesWith(array);
    return array;
  }

  GlobalVariable* constant(Constant* value, const char* name) {
    return new GlobalVariable(module, value->getType(), true, GlobalValue::InternalLinkage, value,
                              Twine(blocks_prefix) + name);
  }

  GlobalVariable* text(StringRef value, const char* name) {
    return constant(ConstantDataArray::getString(module.getContext(), value), name);
  }

  Constant* row(const TableEntry& entry) {
    const StaticBlockFacts& facts = entry.facts;
    SmallVector<Constant*, 10> fields{builder.getInt64(entry.function), builder.getInt64(facts.per_call)};
    for (std::uint32_t each : {entry.name, facts.first_line, facts.last_line, facts.instructions, facts.slots,
                               facts.bytes, facts.depth, facts.flags})
      fields.push_back(builder.getInt32(each));
    return ConstantStruct::getAnon(fields);
  }

  GlobalVariable* rows() {
    static_assert(sizeof(lbhm_block) == 2 * sizeof(std::uint64_t) + 8 * sizeof(std::uint32_t));
    std::vector<Constant*> all;
    all.reserve(table.entries.size());
    for (const TableEntry& entry : table.entries) all.push_back(row(entry));
    auto* array = constant(ConstantArray::get(ArrayType::get(all.front()->getType(), all.size()), all), "table");
    array->setSection(LBHM_BLOCKS_SECTION);
    array->setAlignment(Align(8));
    return array;
  }

  /// Of the code and of what is said of it, so that counters with this number mean the same blocks.
  std::uint64_t number(StringRef source) const {
    std::string all = utohexstr(table.code) + source.str() + table.names;
    for (const TableEntry& entry : table.entries) {
      for (std::uint64_t each : {entry.facts.per_call, std::uint64_t{entry.facts.instructions},
                                 std::uint64_t{entry.facts.slots}, std::uint64_t{entry.facts.bytes}})
        all += utohexstr(each) + ",";
    }
    return xxh3_64bits(all);
  }

  GlobalVariable* describe(Function& counts_of_thread) {
    const StringRef source = sys::path::filename(module.getSourceFileName());
    Constant* names = text(StringRef(table.names).drop_back(), "names");
    auto* value = ConstantStruct::getAnon({builder.getInt64(number(source)), builder.getInt64(table.entries.size()),
                                           rows(), names, text(source, "source"), &counts_of_thread});
    return constant(value, "module");
  }

  Function* function(Type* result, const char* name) {
    auto* made = Function::Create(FunctionType::get(result, false), GlobalValue::InternalLinkage,
                                  Twine(blocks_prefix) + name, module);
    made->addFnAttr(Attribute::NoUnwind);
    made->setUWTableKind(UWTableKind::Default);
    builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", made));
    return made;
  }

  Function* accessor(GlobalVariable& array) {
    Function* made = function(builder.getPtrTy(), "counts_of_thread");
    builder.CreateRet(builder.CreateThreadLocalAddress(&array));
    return made;
  }

  Function* teller(const char* name, const char* whom, GlobalVariable& record) {
    Function* made = function(builder.getVoidTy(), name);
    SymbolSearch search(builder, *made);
    BasicBlock* done = search.block("done");
    search.find_dlsym(done);
    Value* taker = search.symbol(whom);
    search.go_on_if(builder.CreateIsNotNull(taker), done);
    builder.CreateCall(FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false), taker, {&record});
    builder.CreateBr(done);
    builder.SetInsertPoint(done);
    builder.CreateRetVoid();
    return made;
  }

  Module& module;
  const BlockTable& table;
  IRBuilder<> builder;
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

void add_block_table(Module& module, const BlockTable& table, GlobalVariable& placeholder) {
  TableWriter(module, table).write(placeholder);
}

}  // namespace lbhm::compiler
