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

/// The variable that is this value itself, not one computed from it.
const DILocalVariable* variable_of(const Value& value) {
  SmallVector<DbgValueInst*, 4> intrinsics;
  SmallVector<DbgVariableRecord*, 4> records;
  findDbgValues(intrinsics, const_cast<Value*>(&value), &records);
  auto plain = [](const DIExpression* expression) {
    return expression->getNumElements() == 0 ||
           (expression->getNumElements() == 1 && expression->getElement(0) == dwarf::DW_OP_deref);
  };
  for (const DbgVariableRecord* record : records) {
    if (plain(record->getExpression()) && !record->getVariable()->getName().starts_with("."))
      return record->getVariable();
  }
  for (const DbgValueInst* intrinsic : intrinsics) {
    if (plain(intrinsic->getExpression()) && !intrinsic->getVariable()->getName().starts_with("."))
      return intrinsic->getVariable();
  }
  return nullptr;
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

std::string member_of(const DIType* type, std::uint64_t bits, unsigned depth) {
  const auto* structure = dyn_cast_or_null<DICompositeType>(without_names(type));
  if (!structure || depth == 0) return "";
  for (const DINode* element : structure->getElements()) {
    const auto* member = dyn_cast<DIDerivedType>(element);
    if (!member || member->isStaticMember() || member->getTag() == dwarf::DW_TAG_typedef) continue;
    std::uint64_t from = member->getOffsetInBits();
    std::uint64_t size = member->getSizeInBits();
    if (size == 0 && member->getBaseType()) size = member->getBaseType()->getSizeInBits();
    if (bits < from || bits >= from + size) continue;
    std::string own = is_hidden(member->getName()) ? "" : "." + member->getName().str();
    return own + member_of(member->getBaseType(), bits - from, depth - 1);
  }
  return "";
}

}  // namespace

std::string variable_name(const Value& value) {
  const DILocalVariable* variable = variable_of(value);
  return variable ? variable->getName().str() : "";
}

std::string member_name(const Value& pointer, std::int64_t offset) {
  const DILocalVariable* variable = variable_of(pointer);
  if (!variable || offset < 0) return "";
  const DIType* type = variable->getType();
  const DIType* whole = isa_and_nonnull<DICompositeType>(without_names(type)) ? type : pointed_to(type);
  std::string member = member_of(whole, static_cast<std::uint64_t>(offset) * 8, deepest_member);
  return member.empty() ? "" : "->" + member.substr(1);
}

}  // namespace lbhm::compiler
