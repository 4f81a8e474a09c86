#include "compiler/patterns/variables.h"

#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicInst.h"

namespace lbhm::compiler {
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

}  // namespace lbhm::compiler
