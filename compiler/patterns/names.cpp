#include "compiler/patterns/names.h"

#include "compiler/patterns/variables.h"
#include "compiler/patterns/writes.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace lbhm::compiler {

using namespace llvm;

namespace {

/// The thread's numbers come first in outlined functions.
constexpr unsigned own_arguments = 2;

}  // namespace

bool is_outlined(const Function& function) {
  return function.getName().contains(".omp_outlined") || function.getName().contains(".omp_task_entry");
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
