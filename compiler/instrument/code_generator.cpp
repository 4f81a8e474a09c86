#include "compiler/instrument/code_generator.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "compiler/instrument/instruction_cost.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/TargetParser/Triple.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

const Instruction* only_user_nearby(const Instruction& value) {
  if (!value.hasOneUse()) return nullptr;
  const auto* user = cast<Instruction>(value.user_back());
  return user->getParent() == value.getParent() ? user : nullptr;
}

/// Of a fused multiplication: one operand may be in memory.
const Value* last_load_of(const Instruction& fused) {
  for (unsigned index : {2U, 1U, 0U}) {
    const auto* load = dyn_cast<LoadInst>(fused.getOperand(index));
    if (load && load->hasOneUse()) return load;
  }
  return nullptr;
}

/// Whether the operation is the last to need the value, in a register.
bool is_free_after(const Value& value, const Instruction& operation, const LoopInfo& loops) {
  const auto* made = dyn_cast<Instruction>(&value);
  if (!made || loops.getLoopFor(made->getParent()) != loops.getLoopFor(operation.getParent())) return false;
  const auto* load = dyn_cast<LoadInst>(made);
  if (load && is_memory_operand(*load, false)) return false;
  return all_of(made->users(), [&](const User* user) {
    const auto* other = cast<Instruction>(user);
    return other == &operation ||
           (other->getParent() == operation.getParent() && !isa<PHINode>(other) && other->comesBefore(&operation));
  });
}

/// Of LLVM's model of the plain x86-64 (X86SchedSandyBridge.td): cycles of a comparison and other steps, of a
/// conditional move, of a load as an operand, and of a misprediction.
constexpr std::uint64_t compare_latency = 1;
constexpr std::uint64_t widen_condition_latency = 2;  // to a byte, and that to a register
constexpr std::uint64_t address_latency = 1;          // of what one operand cannot hold
constexpr std::uint64_t move_latency = 2;
constexpr std::uint64_t load_latency = 5;
constexpr std::uint64_t store_latency = 1;
constexpr std::uint64_t misprediction_penalty = 16;
/// Cycles that the second iteration must gain (the pass's default threshold).
constexpr std::uint64_t least_gain = 4;

/// Cycles from the loop's start to a result: as it is, and if all candidates were branches.
struct Depth {
  std::uint64_t moves = 0;
  std::uint64_t branches = 0;

  void at_least(const Depth& other) {
    moves = std::max(moves, other.moves);
    branches = std::max(branches, other.branches);
  }
};

/// The two values that are chosen from.
struct Choice {
  const Value* first;
  const Value* second;
};

Choice choice_of(const Instruction& select) {
  unsigned first = isa<SelectInst>(select) ? 1 : 0;
  return {select.getOperand(first), select.getOperand(first + 1)};
}

/// Constants are made of the condition by arithmetic.
bool is_conditional_move(const Instruction& instruction) {
  if (!isa<SelectInst, MinMaxIntrinsic>(instruction)) return false;
  Type* type = instruction.getType();
  if (!type->isPointerTy() && !(type->isIntegerTy() && type->getIntegerBitWidth() > 1)) return false;
  if (instruction.hasMetadata(LLVMContext::MD_unpredictable)) return false;
  auto [first, second] = choice_of(instruction);
  return !(isa<Constant>(first) && isa<Constant>(second));
}

/// Moves with the same condition stand side by side and become one branch.
const Value* group_of(const Instruction& select) {
  if (const auto* plain = dyn_cast<SelectInst>(&select)) return plain->getCondition();
  return &select;
}

/// A load that nothing but the move uses, without a store between: the move's operand.
bool is_operand_of_move(const Value& value, const Instruction& move) {
  const auto* load = dyn_cast<LoadInst>(&value);
  if (!load || !load->hasOneUse() || load->getParent() != move.getParent() || !load->isSimple()) return false;
  return none_of(make_range(load->getIterator(), move.getIterator()),
                 [](const Instruction& between) { return between.mayWriteToMemory(); });
}

/// There is no conditional move of floating-point registers. A comparison of the same type gives a mask, and from
/// AVX-512 on any condition does; else it is always a branch (X86ISelLowering.cpp, the pseudo-instructions CMOV_FR*).
bool is_branch_without_moves(const Instruction& instruction) {
  Type* type = instruction.getType();
  if (!isa<SelectInst>(instruction) || !(type->isFloatTy() || type->isDoubleTy())) return false;
  StringRef features = instruction.getFunction()->getFnAttribute("target-features").getValueAsString();
  const auto* compare = dyn_cast<FCmpInst>(instruction.getOperand(0));
  return !features.contains("+avx512f") && !(compare && compare->getOperand(0)->getType() == type);
}

bool loads_a_value(const Instruction& move) {
  auto [first, second] = choice_of(move);
  return isa<SelectInst>(move) && (is_operand_of_move(*first, move) || is_operand_of_move(*second, move));
}

/// Whether the only use is to load from there. The pass leaves these: searches of trees are not predictable.
bool is_address_only(const Instruction& move) {
  if (!move.hasOneUse()) return false;
  const auto* user = cast<Instruction>(move.user_back());
  if (isa<GetElementPtrInst>(user)) return is_address_only(*user);
  const auto* load = dyn_cast<LoadInst>(user);
  return load && !load->getType()->isFPOrFPVectorTy();
}

/// The predicted value is there three times out of four; of the two cases the later one (as the pass assumes).
std::uint64_t depth_when_predicted(std::uint64_t first, std::uint64_t second) {
  return (3 * std::max(first, second) + std::min(first, second) + 3) / 4;
}

bool has_variable_index(const GetElementPtrInst& address) { return !address.hasAllConstantIndices(); }

/// An operand holds a base and one index; a further index takes an instruction.
bool is_part_of_address(const GetElementPtrInst& address) {
  return has_variable_index(address) && any_of(address.users(), [](const User* user) {
           const auto* further = dyn_cast<GetElementPtrInst>(user);
           return further && has_variable_index(*further);
         });
}

/// What the operand waits for: addresses hold an addition of a constant.
const Value* awaited(const Use& operand) {
  const auto* sum = dyn_cast<BinaryOperator>(operand.get());
  bool held = isa<GetElementPtrInst>(operand.getUser()) && sum && sum->getOpcode() == Instruction::Add &&
              isa<ConstantInt>(sum->getOperand(1));
  return held ? sum->getOperand(0) : operand.get();
}

class LoopDepths {
 public:
  LoopDepths(const Loop& of, const CostModel& with) : loop(of), model(with) {
    for (const BasicBlock* block : loop.blocks()) {
      for (const Instruction& instruction : *block) {
        if (is_conditional_move(instruction)) groups[group_of(instruction)].push_back(&instruction);
      }
    }
  }

  void add_branches(PredictedSelects& to) {
    if (groups.empty()) return;
    std::array<Depth, 2> iterations{};
    for (Depth& deepest : iterations) {
      for (const BasicBlock* block : loop.blocks()) {
        for (const Instruction& instruction : *block) measure(instruction, deepest);
      }
    }
    if (!gains(iterations)) return;
    for (const auto& [condition, moves] : groups) {
      if (all_of(moves, [&](const Instruction* move) { return is_worth_it(*move); }))
        to.insert(moves.begin(), moves.end());
    }
  }

 private:
  void measure(const Instruction& instruction, Depth& deepest) {
    if (!is_conditional_move(instruction)) return deepest.at_least(measure_plain(instruction));
    auto [first, second] = choice_of(instruction);
    Depth condition = condition_depth(instruction);
    deepest.at_least(condition);
    Depth depth{condition.moves, 0};
    depth.at_least({std::max(depths.lookup(first).moves, depths.lookup(second).moves), 0});
    depth.branches = depth_when_predicted(depths.lookup(first).branches, depths.lookup(second).branches);
    depth = {depth.moves + move_latency, depth.branches + move_latency};
    deepest.at_least(depths[&instruction] = depth);
  }

  Depth measure_plain(const Instruction& instruction) {
    Depth depth;
    std::uint64_t latency = 0;
    for (const Use& operand : instruction.operands()) {
      const auto* load = dyn_cast<LoadInst>(operand.get());
      depth.at_least(depths.lookup(awaited(operand)));
      std::uint64_t cycles = own_latency(operand);
      latency = std::max(latency, cycles + (load && is_operand(*load) ? load_latency : 0));
    }
    return depths[&instruction] = {depth.moves + latency, depth.branches + latency};
  }

  /// Loads that are operands of another instruction count there.
  std::uint64_t own_latency(const Use& operand) const {
    const auto& instruction = *cast<Instruction>(operand.getUser());
    const auto* load = dyn_cast<LoadInst>(&instruction);
    const auto* address = dyn_cast<GetElementPtrInst>(&instruction);
    if (load && is_operand(*load)) return 0;
    if (isa<StoreInst>(instruction)) return store_latency;
    if (address) return is_part_of_address(*address) ? address_latency : 0;
    if (isa<ZExtInst>(instruction) && operand->getType()->isIntegerTy(1)) return widen_condition_latency;
    return model.latency(operand);
  }
  static bool is_operand(const LoadInst& load) { return is_memory_operand(load, false); }

  Depth condition_depth(const Instruction& move) const {
    if (const auto* select = dyn_cast<SelectInst>(&move)) return depths.lookup(select->getCondition());
    auto [first, second] = choice_of(move);
    Depth depth = depths.lookup(first);
    depth.at_least(depths.lookup(second));
    return {depth.moves + compare_latency, depth.branches + compare_latency};
  }

  /// An eighth of the loop's depth; where iterations wait for each other also half of what each one adds.
  static bool gains(const std::array<Depth, 2>& deepest) {
    const auto [one, two] = deepest;
    std::uint64_t first = one.moves - one.branches;
    std::uint64_t second = two.moves - two.branches;
    if (second < least_gain || second < first) return false;
    if (second == first) return first * 8 >= one.moves;
    return (second - first) * 2 >= two.moves - one.moves && second * 8 >= two.moves;
  }

  /// The condition is so much later than the value that the branch pays if one in four is mispredicted.
  bool is_worth_it(const Instruction& move) const {
    if (is_address_only(move)) return false;
    auto [first, second] = choice_of(move);
    std::uint64_t condition = condition_depth(move).moves;
    std::uint64_t value = depth_when_predicted(depths.lookup(first).moves, depths.lookup(second).moves);
    return value <= condition && (condition - value) * 4 >= misprediction_penalty;
  }

  const Loop& loop;
  const CostModel& model;
  DenseMap<const Value*, Depth> depths;
  MapVector<const Value*, SmallVector<const Instruction*, 2>> groups;
};

}  // namespace

bool is_fused_multiply(const Instruction& instruction) {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  return intrinsic &&
         (intrinsic->getIntrinsicID() == Intrinsic::fma || intrinsic->getIntrinsicID() == Intrinsic::fmuladd);
}

bool is_memory_operand(const LoadInst& load, bool wide) {
  const Instruction* user = only_user_nearby(load);
  if (!user || load.isVolatile() || load.isAtomic()) return false;
  if (load.getType()->isVectorTy() && !wide && load.getAlign() < Align(16)) return false;
  if (is_fused_multiply(*user)) return &load == last_load_of(*user);
  if (!isa<BinaryOperator, CmpInst>(user) || user->isShift()) return false;
  if (user->getOperand(1) == &load) return true;
  const auto* other = dyn_cast<LoadInst>(user->getOperand(1));
  return (user->isCommutative() || isa<CmpInst>(user)) && !(other && is_memory_operand(*other, wide));
}

bool needs_copy(const Instruction& operation, const LoopInfo& loops) {
  if (!isa<BinaryOperator>(operation)) return false;
  if (!operation.getType()->isFPOrFPVectorTy() && !operation.getType()->isVectorTy()) return false;
  if (is_free_after(*operation.getOperand(0), operation, loops)) return false;
  return !(operation.isCommutative() && is_free_after(*operation.getOperand(1), operation, loops));
}

bool is_update_in_memory(const Instruction& operation) {
  const auto* store = dyn_cast_or_null<StoreInst>(only_user_nearby(operation));
  if (!isa<BinaryOperator>(operation) || !operation.getType()->isIntegerTy() || !store ||
      store->getValueOperand() != &operation)
    return false;
  return any_of(operation.operands(), [&](const Use& operand) {
    const auto* load = dyn_cast<LoadInst>(operand);
    return load && only_user_nearby(*load) == &operation && load->getPointerOperand() == store->getPointerOperand();
  });
}

bool is_part_of_branch(const Instruction& instruction) {
  const Instruction* user = only_user_nearby(instruction);
  if (!user) return false;
  if (isa<ICmpInst>(instruction)) return isa<BranchInst>(user);
  return instruction.getOpcode() == Instruction::And && isa<ICmpInst>(user) &&
         PatternMatch::match(user->getOperand(1), PatternMatch::m_Zero());
}

PredictedSelects find_predicted_selects(const Function& function, const CostModel& model) {
  PredictedSelects found;
  Triple target(function.getParent()->getTargetTriple());
  if (target.getArch() != Triple::x86_64 || function.hasOptNone()) return found;
  for (const Loop* loop : model.loops().getLoopsInPreorder()) {
    if (loop->isInnermost()) LoopDepths(*loop, model).add_branches(found);
  }
  for (const BasicBlock& block : function) {
    for (const Instruction& instruction : block) {
      if (is_branch_without_moves(instruction) || (is_conditional_move(instruction) && loads_a_value(instruction)))
        found.insert(&instruction);
    }
  }
  return found;
}

}  // namespace lbhm::compiler
