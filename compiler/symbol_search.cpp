#include "compiler/symbol_search.h"

namespace lbhm::compiler {

using namespace llvm;

BasicBlock* SymbolSearch::block(const char* name) { return BasicBlock::Create(function.getContext(), name, &function); }

void SymbolSearch::go_on_if(Value* condition, BasicBlock* otherwise) {
  BasicBlock* next = block("next");
  builder.CreateCondBr(condition, next, otherwise);
  builder.SetInsertPoint(next);
}

/// Weak, so that a static program links without it.
void SymbolSearch::find_dlsym(BasicBlock* otherwise) {
  PointerType* pointer = builder.getPtrTy();
  auto* type = FunctionType::get(pointer, {pointer, pointer}, false);
  dlsym = dyn_cast<Function>(function.getParent()->getOrInsertFunction("dlsym", type).getCallee());
  if (dlsym && dlsym->isDeclaration()) dlsym->setLinkage(GlobalValue::ExternalWeakLinkage);
  go_on_if(dlsym ? builder.CreateIsNotNull(dlsym) : builder.getFalse(), otherwise);
}

Value* SymbolSearch::symbol(const char* name) {
  Value* null = ConstantPointerNull::get(builder.getPtrTy());
  if (!dlsym) return null;
  return builder.CreateCall(dlsym->getFunctionType(), dlsym, {null, builder.CreateGlobalString(name)});
}

}  // namespace lbhm::compiler
