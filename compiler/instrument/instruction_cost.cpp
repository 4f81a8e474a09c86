#include "compiler/instrument/instruction_cost.h"

#include <algorithm>

#include "compiler/instrument/code_generator.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;
using Kind = TargetTransformInfo::TargetCostKind;

/// Load to use from L1, cycles (Intel optimisation manual, Skylake: 5, 4 for the simplest addresses).
constexpr std::uint64_t load_latency = 5;
/// Of an integer (Intel optimisation manual, Skylake; LLVM's tables have the vector instruction's).
constexpr std::uint64_t multiply_latency = 3;
/// Of integers, cycles: Fog, Instruction tables, Ice Lake. LLVM's tables have no divisions of integers.
struct Divider {
  std::uint64_t latency, throughput;
};
constexpr Divider divide_32{12, 6};
constexpr Divider divide_64{15, 10};

/// LLVM answers "invalid" where it does not know.
std::uint64_t value_of(const InstructionCost& cost) {
  auto value = cost.getValue();
  return value ? static_cast<std::uint64_t>(std::max<InstructionCost::CostType>(0, *value)) : 1;
}

bool is_vector(const Instruction& instruction) {
  return instruction.getType()->isVectorTy() ||
         any_of(instruction.operands(), [](const Use& operand) { return operand->getType()->isVectorTy(); });
}

/// A factor of which shifts and additions make the product.
bool is_cheap_factor(const Value& factor) {
  const auto* constant = dyn_cast<ConstantInt>(&factor);
  return constant && constant->getValue().popcount() <= 2;
}

bool is_wide(const Type* type) { return type->isFPOrFPVectorTy() || type->isVectorTy(); }

bool is_integer_division(const Instruction& instruction) {
  return instruction.isIntDivRem() && !isa<Constant>(instruction.getOperand(1));
}

const Divider& divider_for(const Instruction& division) {
  return division.getType()->getScalarSizeInBits() > 32 ? divide_64 : divide_32;
}

bool is_scalar_conversion(const Instruction& instruction) {
  return isa<FPToUIInst, FPToSIInst, UIToFPInst, SIToFPInst>(instruction) && !instruction.getType()->isVectorTy();
}

/// What x86 makes of a conversion between a floating-point number and an unsigned integer of 64 bits, for which it has
/// no instruction before AVX-512 (LLVM's X86ISelLowering): two signed conversions of which a mask chooses, or the
/// halves as bits of two numbers that are added.
struct Conversion {
  std::uint64_t instructions = 1;
  std::uint64_t crossings = 1;  ///< between the registers, one a cycle (Fog, Instruction tables: CVTTSD2SI, MOVQ)
};

Conversion conversion(const Instruction& instruction, const TargetTransformInfo& target) {
  constexpr unsigned wide = 64;
  const bool has_one =
      value_of(target.getCastInstrCost(Instruction::UIToFP, Type::getDoubleTy(instruction.getContext()),
                                       Type::getInt64Ty(instruction.getContext()),
                                       TargetTransformInfo::CastContextHint::None, Kind::TCK_RecipThroughput)) <= 2;
  if (has_one) return {};
  if (isa<FPToUIInst>(instruction) && instruction.getType()->getScalarSizeInBits() == wide)
    return {.instructions = 7, .crossings = 2};
  if (isa<UIToFPInst>(instruction) && instruction.getOperand(0)->getType()->getScalarSizeInBits() == wide)
    return {.instructions = 6, .crossings = 3};
  return {};
}

/// What an address is made of: no instruction of its own where the processor's address modes hold it.
bool is_only_in_addresses(const Instruction& instruction) {
  return all_of(instruction.users(), [](const User* user) {
    return isa<GetElementPtrInst>(user) || (isa<CastInst>(user) && is_only_in_addresses(*cast<Instruction>(user)));
  });
}

constexpr LibraryCost exponential{50, 40};  ///< measured: 35 to 50 and 36 to 45
constexpr LibraryCost angle{70, 60};        ///< sin, atan, tanh, ...: 55 to 105 and 50 to 90
constexpr LibraryCost power{135, 100};      ///< pow, atan2, cbrt, fmod, ...: 125 to 150 and 45 to 120
constexpr LibraryCost special{250, 150};    ///< gamma and Bessel functions: 310 and 150

/// The C name of the function without its suffix for the type; empty: not of the library.
StringRef base_name(const CallBase& call, const TargetLibraryInfo& library) {
  if (const auto* intrinsic = dyn_cast<IntrinsicInst>(&call)) {
    StringRef name = Intrinsic::getBaseName(intrinsic->getIntrinsicID());
    return name.consume_front("llvm.") ? name : StringRef();
  }
  LibFunc function;
  if (!library.getLibFunc(call, function) || !call.getType()->isFloatingPointTy()) return {};
  StringRef name = call.getCalledFunction()->getName();
  if (call.getType()->isFloatTy()) name.consume_back("f");
  if (call.getType()->isX86_FP80Ty()) name.consume_back("l");
  return name;
}

}  // namespace

BlockCost& BlockCost::operator+=(const BlockCost& other) {
  instructions += other.instructions;
  accesses += other.accesses;
  vectors += other.vectors;
  branches += other.branches;
  loads += other.loads;
  stores += other.stores;
  wide_loads += other.wide_loads;
  vector_integers += other.vector_integers;
  vector_shifts += other.vector_shifts;
  arithmetic += other.arithmetic;
  additions += other.additions;
  products += other.products;
  multiplies += other.multiplies;
  divisions += other.divisions;
  conversions += other.conversions;
  return *this;
}

std::uint64_t BlockCost::slots() const {
  return std::max({instructions, dispatch_width / 2 * loads, dispatch_width * stores, dispatch_width / 2 * arithmetic});
}

std::uint64_t BlockCost::units() const {
  return std::max({2 * wide_loads, arithmetic + vector_integers, 2 * additions, 2 * products, 2 * vector_shifts,
                   4 * multiplies, 4 * divisions, 4 * conversions});
}

BlockCost CostModel::cost(const Instruction& instruction) const {
  BlockCost result{.instructions = instructions(instruction)};
  if (is_vector(instruction)) result.vectors = result.instructions;
  add_units(instruction, result);
  result.instructions += copies(instruction);
  return result;
}

/// Registers that a value of the type takes: a wide load is as many loads.
std::uint64_t CostModel::pieces(Type* type) const {
  return std::max<std::uint64_t>(1, analyses.target.getNumberOfParts(type));
}

/// In a loop: computed from the last iteration's value by an addition that all addresses share.
bool CostModel::is_strength_reduced(const Instruction& instruction) const {
  if (!analyses.loops.getLoopFor(instruction.getParent())) return false;
  if (!analyses.evolution.isSCEVable(instruction.getType())) return false;
  const auto* recurrence = dyn_cast<SCEVAddRecExpr>(analyses.evolution.getSCEV(const_cast<Instruction*>(&instruction)));
  return recurrence && recurrence->isAffine() &&
         (isa<GetElementPtrInst>(instruction) || is_only_in_addresses(instruction));
}

bool CostModel::has_avx() const {
  return analyses.target.getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue() > 128;
}

/// They take no unit, only dispatch (Fog, The microarchitecture of Intel, AMD and VIA CPUs: move elimination).
std::uint64_t CostModel::copies(const Instruction& instruction) const {
  return !has_avx() && needs_copy(instruction, analyses.loops) ? pieces(instruction.getType()) : 0;
}

std::uint64_t CostModel::instructions(const Instruction& instruction) const {
  const TargetTransformInfo& target = analyses.target;
  bool wide = has_avx();
  if (isa<PHINode, UnreachableInst>(instruction)) return 0;
  if (const auto* branch = dyn_cast<BranchInst>(&instruction)) return branch->isConditional();
  if (const auto* load = dyn_cast<LoadInst>(&instruction))
    return is_memory_operand(*load, wide) ? 0 : pieces(load->getType());
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return pieces(store->getValueOperand()->getType());
  if (is_part_of_branch(instruction) || is_update_in_memory(instruction) || is_strength_reduced(instruction)) return 0;
  if (isa<ZExtInst, SExtInst>(instruction) && isa<LoadInst>(instruction.getOperand(0)) && !is_vector(instruction) &&
      instruction.getOperand(0)->hasOneUse())
    return 0;
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    if (auto known = library_cost(*call, analyses.library)) return known->instructions;
    if (is_square_root(*call, analyses.library)) return pieces(call->getType());
  }
  if (is_scalar_conversion(instruction)) return conversion(instruction, target).instructions;
  return value_of(target.getInstructionCost(&instruction, Kind::TCK_CodeSize));
}

void CostModel::add_units(const Instruction& instruction, BlockCost& to) const {
  const auto* intrinsic = dyn_cast<IntrinsicInst>(&instruction);
  auto id = intrinsic ? intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic;
  if (isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(instruction)) to.loads += pieces(instruction.getType());
  if (id == Intrinsic::masked_load || id == Intrinsic::masked_expandload) to.loads += pieces(instruction.getType());
  if (id == Intrinsic::masked_gather) to.loads += cast<FixedVectorType>(instruction.getType())->getNumElements();
  if (is_wide(instruction.getType())) to.wide_loads += to.loads;
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) to.stores += pieces(store->getValueOperand()->getType());
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction)) ++to.stores;
  if (id == Intrinsic::masked_store || id == Intrinsic::masked_compressstore)
    to.stores += pieces(instruction.getOperand(0)->getType());
  if (id == Intrinsic::masked_scatter)
    to.stores += cast<FixedVectorType>(instruction.getOperand(0)->getType())->getNumElements();
  to.divisions += divider_cycles(instruction);
  if (is_scalar_conversion(instruction)) to.conversions += conversion(instruction, analyses.target).crossings;
  bool computes = isa<BinaryOperator, UnaryOperator, CmpInst, ShuffleVectorInst>(instruction) ||
                  (intrinsic && intrinsic->doesNotAccessMemory() && !intrinsic->isAssumeLikeIntrinsic());
  if (!computes) return;
  Type* type = instruction.getOperand(0)->getType();
  if (type->isFPOrFPVectorTy())
    add_arithmetic(instruction, to);
  else if (type->isVectorTy())
    add_vector_integers(instruction, to);
  else if (instruction.getOpcode() == Instruction::Mul && !is_cheap_factor(*instruction.getOperand(1)))
    ++to.multiplies;
}

/// Without an instruction for 64 bits a product is made of three of 32 bits, three shifts and two additions.
void CostModel::add_vector_integers(const Instruction& instruction, BlockCost& to) const {
  to.vector_integers += to.instructions;
  if (instruction.isShift()) to.vector_shifts += to.instructions;
  if (instruction.getOpcode() != Instruction::Mul) return;
  const bool made =
      instruction.getType()->getScalarSizeInBits() == 64 && to.instructions > pieces(instruction.getType());
  to.vector_shifts += made ? to.instructions * 6 / 8 : to.instructions;
}

/// Where a fused multiplication is two instructions, one of them is an addition.
void CostModel::add_arithmetic(const Instruction& instruction, BlockCost& to) const {
  const std::uint64_t count = std::max<std::uint64_t>(1, to.instructions);
  to.arithmetic += count;
  const bool fused = is_fused_multiply(instruction);
  const bool split = fused && is_split(instruction);
  if (instruction.getOpcode() == Instruction::FAdd || instruction.getOpcode() == Instruction::FSub)
    to.additions += count;
  else if (instruction.getOpcode() == Instruction::FMul || (fused && !split))
    to.products += count;
  if (!split) return;
  to.additions += count / 2;
  to.products += count / 2;
}

/// How long the divider is taken.
std::uint64_t CostModel::divider_cycles(const Instruction& instruction) const {
  if (is_integer_division(instruction)) return divider_for(instruction).throughput;
  Type* type = instruction.getType();
  if (instruction.getOpcode() == Instruction::FDiv)
    return value_of(analyses.reference.getArithmeticInstrCost(Instruction::FDiv, type, Kind::TCK_RecipThroughput));
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || !is_square_root(*call, analyses.library)) return 0;
  return value_of(analyses.reference.getIntrinsicInstrCost({Intrinsic::sqrt, type, {type}}, Kind::TCK_RecipThroughput));
}

/// Whether a fused multiplication is two instructions here.
bool CostModel::is_split(const Instruction& fused) const {
  return value_of(analyses.target.getInstructionCost(&fused, Kind::TCK_CodeSize)) > pieces(fused.getType());
}

/// Without such an instruction it is a multiplication and then an addition, for which the last operand may come late.
std::uint64_t CostModel::fused_multiply_latency(const Use& operand) const {
  const auto& instruction = *cast<Instruction>(operand.getUser());
  Type* type = instruction.getType();
  std::uint64_t once = value_of(analyses.reference.getArithmeticInstrCost(Instruction::FMul, type, Kind::TCK_Latency));
  return is_split(instruction) && operand.getOperandNo() < 2 ? 2 * once : once;
}

bool CostModel::is_addition(const Use& operand) const {
  const auto& instruction = *cast<Instruction>(operand.getUser());
  if (is_fused_multiply(instruction)) return operand.getOperandNo() == 2 && is_split(instruction);
  return instruction.getOpcode() == Instruction::FAdd || instruction.getOpcode() == Instruction::FSub;
}

std::uint64_t CostModel::latency(const Use& operand) const {
  const auto& instruction = *cast<Instruction>(operand.getUser());
  const TargetTransformInfo& reference = analyses.reference;
  Type* type = instruction.getType();
  if (isa<PHINode, GetElementPtrInst>(instruction)) return 0;
  if (is_integer_division(instruction)) return divider_for(instruction).latency;
  if (instruction.getOpcode() == Instruction::Mul && !type->isVectorTy()) return multiply_latency;
  if (is_fused_multiply(instruction)) return fused_multiply_latency(operand);
  if (const auto* call = dyn_cast<CallBase>(&instruction)) {
    if (auto known = library_cost(*call, analyses.library)) return known->latency;
    if (is_square_root(*call, analyses.library))
      return value_of(reference.getIntrinsicInstrCost({Intrinsic::sqrt, type, {type}}, Kind::TCK_Latency));
    if (!isa<IntrinsicInst>(call)) return 1;
  }
  if (instruction.mayReadFromMemory()) return load_latency;
  return value_of(reference.getInstructionCost(&instruction, Kind::TCK_Latency));
}

std::optional<LibraryCost> library_cost(const CallBase& call, const TargetLibraryInfo& library) {
  return StringSwitch<std::optional<LibraryCost>>(base_name(call, library))
      .Cases("exp", "exp2", "exp10", "expm1", exponential)
      .Cases("log", "log2", "log10", "log1p", exponential)
      .Cases("sin", "cos", "tan", "asin", "acos", "atan", angle)
      .Cases("sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "erf", "erfc", angle)
      .Cases("pow", "powi", "atan2", "cbrt", "hypot", "fmod", "remainder", power)
      .Cases("tgamma", "lgamma", "j0", "j1", "y0", "y1", special)
      .Default(std::nullopt);
}

bool is_square_root(const CallBase& call, const TargetLibraryInfo& library) {
  return base_name(call, library) == "sqrt";
}

}  // namespace lbhm::compiler
