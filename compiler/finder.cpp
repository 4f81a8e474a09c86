#include "compiler/finder.h"

#include "compiler/section.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {

using namespace llvm;

FinderWriter::FinderWriter(Hidden& with, const char* name)
    : hidden(with),
      builder(with.builder),
      function(hidden.function(name, {})),
      search(builder, *function),
      done(search.block("done")) {}

void FinderWriter::give_section(Value* taker, const char* section, const char* given, ArrayRef<Value*> more) {
  GlobalVariable* remembers = hidden.variable(builder.getInt8Ty(), given);
  Constant* first = section_first(hidden.module, section);
  Constant* last = section_last(hidden.module, section);
  search.go_on_if(builder.CreateIsNotNull(taker), done);
  search.go_on_if(builder.CreateICmpNE(first, last), done);
  search.go_on_if(builder.CreateIsNull(builder.CreateLoad(builder.getInt8Ty(), remembers)), done);
  builder.CreateStore(builder.getInt8(1), remembers);
  SmallVector<Value*, 4> arguments{first, last};
  arguments.append(more.begin(), more.end());
  SmallVector<Type*, 4> types;
  for (const Value* argument : arguments) types.push_back(argument->getType());
  builder.CreateCall(FunctionType::get(builder.getVoidTy(), types, false), taker, arguments);
}

Function* FinderWriter::finish() {
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  appendToGlobalCtors(hidden.module, function, 0, function);
  return function;
}

}  // namespace lbhm::compiler
