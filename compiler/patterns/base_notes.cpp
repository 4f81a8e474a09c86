#include "compiler/patterns/base_notes.h"

#include "compiler/link/buffer_symbols.h"
#include "compiler/link/runtime_lookup.h"
#include "lbhm/compiled_patterns.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace lbhm::compiler {

using namespace llvm;
namespace {

using namespace llvm;

/// The arguments of the call: base, root, how many offsets, the offsets.
constexpr unsigned root_argument = 1, count_argument = 2, first_offset = 3;

std::string placed_name() { return (Twine(plugin_prefix) + "note_placed").str(); }

Function* placed_function(Module& module) {
  if (Function* known = module.getFunction(placed_name())) return known;
  IRBuilder<> builder(module.getContext());
  SmallVector<Type*, 8> types(first_offset + longest_path, builder.getInt64Ty());
  types[root_argument] = builder.getPtrTy();
  auto* made = Function::Create(FunctionType::get(builder.getVoidTy(), types, false), GlobalValue::ExternalLinkage,
                                placed_name(), module);
  for (Attribute::AttrKind promise :
       {Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree, Attribute::NoCallback})
    made->addFnAttr(promise);
  made->addParamAttr(root_argument, Attribute::NoCapture);
  return made;
}

/// Without offsets nothing of the program's is read.
MemoryEffects effects(unsigned offsets) {
  MemoryEffects own = MemoryEffects::inaccessibleMemOnly();
  if (offsets == 0) return own;
  return own | (offsets == 1 ? MemoryEffects::argMemOnly(ModRefInfo::Ref) : MemoryEffects::readOnly());
}

/// A value that the end of the block itself makes is there only behind it.
Instruction* place_behind(Instruction& end, const Value* root) {
  auto* invoke = dyn_cast<InvokeInst>(&end);
  if (!invoke || root != invoke) return &end;
  BasicBlock* behind = invoke->getNormalDest();
  if (!behind->getSinglePredecessor()) behind = SplitBlockPredecessors(behind, {invoke->getParent()}, ".note");
  return &*behind->getFirstInsertionPt();
}

}  // namespace

PatternSymbols pattern_symbols(Module& module) {
  if (Function* note = module.getFunction((Twine(plugin_prefix) + "note").str()))
    return {.noting = module.getNamedGlobal((Twine(plugin_prefix) + "noting").str()), .note = note};
  MergedSymbols merged(module);
  GlobalVariable* noting = merged.variable(merged.builder.getInt8Ty(), "noting");
  GlobalVariable* entrance = merged.variable(merged.pointer, "note_pointer");
  Function* note = merged.forwarder("note", {merged.word, merged.pointer}, entrance);
  note->addFnAttr(Attribute::Cold);
  LookupWriter writer(merged, "patterns_lookup");
  writer.begin_look_up();
  merged.write_to(entrance, writer.symbol(LBHM_NOTE_NAME));
  writer.give_section(writer.symbol(LBHM_PATTERNS_NAME), LBHM_PATTERNS_SECTION, "patterns_given", {noting});
  writer.finish();
  return {.noting = noting, .note = note};
}

void place_note(Instruction& end, std::uint64_t id, unsigned number, const BasePath& path) {
  IRBuilder<> builder(place_behind(end, path.root));
  SmallVector<Value*, 8> arguments(first_offset + longest_path, builder.getInt64(0));
  arguments[0] = builder.getInt64(id << LBHM_BASE_BITS | number);
  arguments[root_argument] = path.root;
  arguments[count_argument] = builder.getInt64(path.offsets.size());
  for (unsigned at = 0; at < path.offsets.size(); ++at)
    arguments[first_offset + at] = ConstantInt::getSigned(builder.getInt64Ty(), path.offsets[at]);
  CallInst* call = builder.CreateCall(placed_function(*end.getModule()), arguments);
  call->setMemoryEffects(effects(path.offsets.size()));
}

Notes::Notes(Module& in) : module(in), placed(in.getFunction(placed_name())) {
  if (!placed) return;
  for (User* user : placed->users()) {
    auto* call = cast<CallInst>(user);
    Value* root = call->getArgOperand(root_argument);
    notes[call->getFunction()].push_back({call, root});
    call->setArgOperand(root_argument, ConstantPointerNull::get(cast<PointerType>(root->getType())));
  }
}

void Notes::expand(Function& function) {
  auto found = notes.find(&function);
  if (found == notes.end()) return;
  for (const Note& note : found->second) expand(note);
  notes.erase(found);
}

void Notes::expand(const Note& note) {
  CallInst& call = *note.call;
  if (note.root) {
    PatternSymbols symbols = pattern_symbols(module);
    IRBuilder<> builder(&call);
    auto* look = builder.CreateAlignedLoad(builder.getInt8Ty(), symbols.noting, Align(1));
    look->setAtomic(AtomicOrdering::Monotonic);
    Instruction* then = SplitBlockAndInsertIfThen(builder.CreateIsNotNull(look), &call, false,
                                                  MDBuilder(module.getContext()).createUnlikelyBranchWeights());
    builder.SetInsertPoint(then);
    Value* at = note.root;
    auto count = cast<ConstantInt>(call.getArgOperand(count_argument))->getZExtValue();
    for (unsigned index = 0; index < count; ++index) {
      Value* where = builder.CreatePtrAdd(at, call.getArgOperand(first_offset + index));
      at = builder.CreateAlignedLoad(builder.getPtrTy(), where, Align(1));
    }
    builder.CreateCall(symbols.note, {call.getArgOperand(0), at});
  }
  call.eraseFromParent();
}

void Notes::finish() {
  while (!notes.empty()) expand(*notes.begin()->first);
  if (placed) placed->eraseFromParent();
  placed = nullptr;
}

}  // namespace lbhm::compiler
