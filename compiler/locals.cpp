#include "compiler/locals.h"

namespace lbhm::compiler {

using namespace llvm;

Locals::Locals(Function& of, const ModuleSymbols& with, ArrayRef<ThreadField> in_registers)
    : symbols(with), variables(of), thread(with.thread) {
  IRBuilder<> builder(variables.body());
  thread = thread_local_address(builder, *symbols.thread);
  for (ThreadField which : in_registers) registers.push_back({which, variables.add(type_of(which), "lbhm.register")});
  reload(builder);
}

Value* Locals::field(IRBuilder<>& builder, ThreadField which) const {
  return builder.CreateStructGEP(symbols.thread_type, thread, which);
}

Value* Locals::load(IRBuilder<>& builder, ThreadField which) const {
  const auto* held = find_if(registers, [&](const Register& each) { return each.which == which; });
  return builder.CreateLoad(type_of(which), held != registers.end() ? held->variable : field(builder, which));
}

void Locals::store(IRBuilder<>& builder, Value* value, ThreadField which) const {
  const auto* held = find_if(registers, [&](const Register& each) { return each.which == which; });
  builder.CreateStore(value, held != registers.end() ? held->variable : field(builder, which));
}

void Locals::add(IRBuilder<>& builder, ThreadField counter, Value* value) const {
  Value* there = field(builder, counter);
  builder.CreateStore(builder.CreateAdd(builder.CreateLoad(builder.getInt64Ty(), there), value), there);
}

void Locals::write_back(IRBuilder<>& builder) const {
  for (const Register& each : registers)
    builder.CreateStore(builder.CreateLoad(type_of(each.which), each.variable), field(builder, each.which));
}

void Locals::reload(IRBuilder<>& builder) const {
  for (const Register& each : registers)
    builder.CreateStore(builder.CreateLoad(type_of(each.which), field(builder, each.which)), each.variable);
}

}  // namespace lbhm::compiler
