#include "compiler/patterns/source_names.h"

#include "compiler/patterns/resolver.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// Structures in structures and bases of classes; more are looked at no further.
constexpr unsigned deepest_member = 8;

/// Whether the variable is this value itself, not one computed from it, and of the function's own source: not one of
/// the library's or of the compiler's.
template <class Record>
bool is_own_name(const Record& record) {
  const DIExpression* expression = record.getExpression();
  StringRef name = record.getVariable()->getName();
  bool whole = expression->getNumElements() == 0 ||
               (expression->getNumElements() == 1 && expression->getElement(0) == dwarf::DW_OP_deref);
  return whole && !record.getDebugLoc().getInlinedAt() && !name.starts_with(".") && !name.starts_with("__");
}

/// Parameters before variables that begin with the parameter's value.
const DILocalVariable* variable_of(const Value& value) {
  SmallVector<DbgValueInst*, 4> intrinsics;
  SmallVector<DbgVariableRecord*, 4> records;
  findDbgValues(intrinsics, const_cast<Value*>(&value), &records);
  const DILocalVariable* found = nullptr;
  auto look_at = [&](const auto& record) {
    if (!is_own_name(record)) return;
    const DILocalVariable* variable = record.getVariable();
    if (!found || (!found->isParameter() && variable->isParameter())) found = variable;
  };
  for (const DbgVariableRecord* record : records) look_at(*record);
  for (const DbgValueInst* intrinsic : intrinsics) look_at(*intrinsic);
  return found;
}

const DIType* without_names(const DIType* type) {
  while (const auto* derived = dyn_cast_or_null<DIDerivedType>(type)) {
    switch (derived->getTag()) {
      case dwarf::DW_TAG_typedef:
      case dwarf::DW_TAG_const_type:
      case dwarf::DW_TAG_volatile_type:
      case dwarf::DW_TAG_restrict_type:
        type = derived->getBaseType();
        break;
      default:
        return type;
    }
  }
  return type;
}

const DIType* pointed_to(const DIType* type) {
  const auto* pointer = dyn_cast_or_null<DIDerivedType>(without_names(type));
  return pointer ? without_names(pointer->getBaseType()) : nullptr;
}

/// Names of implementation: a container's own name says more.
bool is_hidden(StringRef name) { return name.empty() || name.starts_with("_"); }

std::optional<std::string> member_of(const DIType* type, std::uint64_t bits, unsigned depth) {
  const auto* structure = dyn_cast_or_null<DICompositeType>(without_names(type));
  if (!structure || depth == 0 || structure->getTag() == dwarf::DW_TAG_array_type) return "";
  for (const DINode* element : structure->getElements()) {
    const auto* member = dyn_cast<DIDerivedType>(element);
    if (!member || member->isStaticMember() || member->getTag() == dwarf::DW_TAG_typedef) continue;
    std::uint64_t from = member->getOffsetInBits();
    std::uint64_t size = member->getSizeInBits();
    if (size == 0 && member->getBaseType()) size = member->getBaseType()->getSizeInBits();
    if (bits < from || bits >= from + size) continue;
    std::string own = is_hidden(member->getName()) ? "" : "." + member->getName().str();
    return own + member_of(member->getBaseType(), bits - from, depth - 1).value_or("");
  }
  return std::nullopt;
}

/// The thread's numbers come first in outlined functions.
constexpr unsigned own_arguments = 2;

}  // namespace

std::string variable_name(const Value& value) {
  const DILocalVariable* variable = variable_of(value);
  return variable ? variable->getName().str() : "";
}

std::optional<std::string> member_name(const Value& pointer, std::int64_t offset) {
  const DILocalVariable* variable = variable_of(pointer);
  if (!variable || offset < 0) return std::nullopt;
  const DIType* type = variable->getType();
  const DIType* whole = isa_and_nonnull<DICompositeType>(without_names(type)) ? type : pointed_to(type);
  if (!isa_and_nonnull<DICompositeType>(whole)) return std::nullopt;
  auto member = member_of(whole, static_cast<std::uint64_t>(offset) * 8, deepest_member);
  return member && !member->empty() ? "->" + member->substr(1) : member;
}

bool is_outlined(const Function& function) {
  const StringRef name = function.getName();
  return name.contains(".omp_outlined") || name.contains(".omp_task_entry") || name.contains("..omp_par");  // flang
}

unsigned line_of(const Instruction& instruction) {
  const DILocation* location = instruction.getDebugLoc();
  return location ? location->getLine() : 0;
}

Named Names::of(const Value& value) const {
  if (const StandIn* other = stand_ins.find(&value)) {
    if (other->name) return {other->name, "value"};
    if (other->of) return of(*other->of);
  }
  if (const auto* argument = dyn_cast<Argument>(&value)) return of_argument(*argument);
  if (isa<GlobalValue>(value)) return {value.getName().str(), "global"};
  if (const auto* load = dyn_cast<LoadInst>(&value)) return of_load(*load);
  std::string variable = variable_name(value);
  if (const auto* call = dyn_cast<CallBase>(&value)) {
    const Function* called = call->getCalledFunction();
    if (variable.empty() && called) variable = ("result of " + called->getName()).str();
    return {variable, "call"};
  }
  if (const auto* place = dyn_cast<GEPOperator>(&value); place && variable.empty())
    return of(*place->getPointerOperand());
  if (const auto* phi = dyn_cast<PHINode>(&value); phi && variable.empty()) {
    const Loop* loop = loop_headed_by(*phi, loops);
    for (const BasicBlock* from : phi->blocks()) {
      const Value* first = base_value(phi->getIncomingValueForBlock(from));
      if (!isa<PHINode>(first) && !(loop && loop->contains(from))) return of(*first);
    }
  }
  if (variable.empty()) {
    const auto* instruction = dyn_cast<Instruction>(&value);
    unsigned line = instruction ? line_of(*instruction) : 0;
    variable = line != 0 ? "value at line " + std::to_string(line) : "value";
  }
  return {variable, "value"};
}

Named Names::of_argument(const Argument& argument) const {
  const bool captured = is_outlined(function) && argument.getArgNo() >= own_arguments;
  const char* through = captured ? "captured" : "argument";
  std::string name = variable_name(argument);
  if (name.empty()) name = argument.getName().str();
  if (name.empty())
    name = (Twine(through) + " " + Twine(argument.getArgNo() + 1 - (captured ? own_arguments : 0))).str();
  return {name, through};
}

/// A captured variable is an argument that points to it; a member is an offset behind a pointer.
Named Names::of_load(const LoadInst& load) const {
  const DataLayout& layout = function.getParent()->getDataLayout();
  APInt offset(64, 0);
  const Value* root = load.getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
  const auto* argument = dyn_cast<Argument>(root);
  if (argument && is_outlined(function) && argument->getArgNo() >= own_arguments && offset == 0) {
    Named captured = of_argument(*argument);
    return {captured.name + member_name(*root, 0).value_or(""), "captured"};
  }
  std::string variable = variable_name(load);
  const char* through = isa<GlobalValue>(root) ? "global" : "pointer";
  if (!variable.empty()) return {variable, through};
  if (isa<GlobalValue>(root) && offset == 0) return {root->getName().str(), through};
  if (isa<Argument, GlobalValue, LoadInst>(root)) {
    auto member = member_name(*root, offset.getSExtValue());
    Named whole = of(*root);
    if (member) return {whole.name + *member, through};
    if (offset.isZero()) return {"*" + whole.name, through};
    return {whole.name + "+" + std::to_string(offset.getSExtValue()), through};
  }
  const Value* table = base_value(root);
  if (table != root && isa<Argument, GlobalVariable, LoadInst>(table)) return {of(*table).name + "[]", through};
  unsigned line = line_of(load);
  return {line != 0 ? "loaded at line " + std::to_string(line) : "loaded", through};
}

}  // namespace lbhm::compiler
