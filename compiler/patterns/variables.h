// Names of variables and members from debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "llvm/IR/Value.h"

namespace lbhm::compiler {

/// Of the variable that the value is at some point of the program; empty without debug information.
std::string variable_name(const llvm::Value& value);

/// "->data" for the member at that many bytes behind the pointer, whose variable's type says what is there. Empty for
/// those in which the standard library's containers keep their data: they count as the container. Nothing if unknown.
std::optional<std::string> member_name(const llvm::Value& pointer, std::int64_t offset);

}  // namespace lbhm::compiler
