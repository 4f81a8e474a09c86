#include "compiler/regions/region_records.h"

#include <cstdlib>
#include <string>

#include "compiler/instrument/added_code.h"
#include "compiler/link/buffer_symbols.h"
#include "lbhm/code_regions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

namespace lbhm::compiler {
namespace {

using namespace llvm;

class Shape {
 public:
  explicit Shape(ArrayRef<BasicBlock*> blocks) {
    for (const BasicBlock* block : blocks) numbers.try_emplace(block, numbers.size() + 1);
  }

  void add(const BasicBlock& block) {
    for (const Instruction& instruction : block) {
      // Such instructions come and go with debug information, and ours with versions of the plugin.
      if (!isa<DbgInfoIntrinsic>(instruction) && !is_added(instruction)) add(instruction);
    }
  }

  std::uint64_t hash() const { return xxh3_64bits(text); }

 private:
  void number(std::uint64_t value) { text.append(reinterpret_cast<const char*>(&value), sizeof value); }

  void type(const Type* of) { number(of->getTypeID() | (std::uint64_t{of->getScalarSizeInBits()} << 8U)); }

  void add(const Instruction& instruction) {
    number(instruction.getOpcode() | (std::uint64_t{instruction.getNumOperands()} << 16U));
    type(instruction.getType());
    if (const auto* compare = dyn_cast<CmpInst>(&instruction)) number(compare->getPredicate());
    if (const auto* store = dyn_cast<StoreInst>(&instruction)) type(store->getValueOperand()->getType());
    if (const auto* call = dyn_cast<CallBase>(&instruction)) {
      if (const Function* callee = call->getCalledFunction()) text += callee->getName();
    }
    if (!instruction.isTerminator()) return;
    for (unsigned at = 0; at < instruction.getNumSuccessors(); ++at)
      number(numbers.lookup(instruction.getSuccessor(at)));
  }

  DenseMap<const BasicBlock*, std::uint64_t> numbers;
  std::string text;
};

constexpr std::size_t alignment = 8;

/// Functions that several files define alike are the same wherever they come from; the linker keeps one of them.
bool belongs_to_a_file(const Function& function) { return !function.isWeakForLinker(); }

/// Every file has such a function, and one record is enough. Not in the function's own group: one file may drop its
/// function (all calls are inlined), and the group that the linker keeps would be without it.
void merge_by_id(GlobalVariable& record, std::uint64_t id) {
  record.setName(Twine(plugin_prefix) + "region_" + utohexstr(id));
  record.setLinkage(GlobalValue::LinkOnceODRLinkage);
  record.setVisibility(GlobalValue::HiddenVisibility);
  record.setComdat(record.getParent()->getOrInsertComdat(record.getName()));
}

/// Without the number that makes a name unique: it counts other functions, too, and differs with and without -g.
StringRef lasting_name(const Function& function) {
  StringRef name = function.getName();
  auto [front, number] = name.rsplit('.');
  const bool counted = !number.empty() && all_of(number, [](char c) { return isDigit(c); });
  return counted && function.hasLocalLinkage() ? front : name;
}

SmallString<256> working_folder() {
  SmallString<256> folder;
  if (sys::fs::current_path(folder)) folder = ".";  // the folder is gone
  return folder;
}

}  // namespace

std::uint64_t shape_of(ArrayRef<BasicBlock*> blocks) {
  Shape shape(blocks);
  for (const BasicBlock* block : blocks) shape.add(*block);
  return shape.hash();
}

std::string region_file(StringRef folder, StringRef file) {
  SmallString<256> path;
  if (!sys::path::is_absolute(file)) {
    if (!sys::path::is_absolute(folder)) path = working_folder();
    sys::path::append(path, folder);
  }
  sys::path::append(path, file);
  sys::path::remove_dots(path, true);
  const char* named = std::getenv("LBHM_PLUGIN_REGIONS_ROOT");
  std::string root = named && *named ? std::string(named) : std::string(working_folder());
  if (root.back() != '/') root += '/';
  StringRef shown = path;
  shown.consume_front(root);
  return shown.str();
}

std::uint64_t RegionRecords::free_id(const RegionNote& note) {
  std::string text = belongs_to_a_file(*note.function) ? region_file("", module.getSourceFileName()) : "";
  text += '\0';
  text += lasting_name(*note.function);
  text += '\0';
  text += note.which;
  text += '\0';
  text += std::to_string(note.shape);
  std::uint64_t id = xxh3_64bits(text);
  while (!taken.insert(id).second) ++id;
  return id;
}

GlobalVariable* RegionRecords::add(const RegionNote& note) {
  std::string text = note.file.empty() ? region_file("", module.getSourceFileName()) : note.file;
  text += '\0';
  text += note.function->getName();
  text += '\0';
  constexpr std::size_t head = offsetof(lbhm_code_region, text);
  text.resize((head + text.size() + alignment - 1) / alignment * alignment - head);
  const unsigned flags =
      (note.function->hasLocalLinkage() ? LBHM_REGION_LOCAL : 0U) | (note.marked ? 0U : LBHM_REGION_UNMARKED);
  const std::uint64_t id = free_id(note);
  LLVMContext& context = module.getContext();
  auto number = [&](unsigned bits, std::uint64_t value) {
    return ConstantInt::get(IntegerType::get(context, bits), value);
  };
  Constant* record = ConstantStruct::getAnon({number(32, head + text.size()), number(32, note.line), number(64, id),
                                              number(32, 0), number(16, note.kind), number(16, flags),
                                              ConstantDataArray::getString(context, text, false)});
  auto* global = new GlobalVariable(module, record->getType(), false, GlobalValue::InternalLinkage, record,
                                    Twine(plugin_prefix) + "region");
  global->setSection(LBHM_REGIONS_SECTION);
  global->setAlignment(Align(alignment));
  if (!belongs_to_a_file(*note.function)) merge_by_id(*global, id);
  made.push_back(global);
  return global;
}

void RegionRecords::keep() {
  if (!made.empty()) appendToUsed(module, made);
}

}  // namespace lbhm::compiler
