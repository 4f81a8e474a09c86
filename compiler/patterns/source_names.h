// Names of variables and members from debug information.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "compiler/patterns/nest.h"
#include "llvm/IR/Value.h"

namespace lbhm::compiler {

/// Of the variable that the value is at some point of the program; empty without debug information.
std::string variable_name(const llvm::Value& value);

/// "->data" for the member at that many bytes behind the pointer, whose variable's type says what is there. Empty for
/// those in which the standard library's containers keep their data: they count as the container. Nothing if unknown.
std::optional<std::string> member_name(const llvm::Value& pointer, std::int64_t offset);

// What values are called in the source.

/// A name, and on what way the value comes: "argument", "captured" (by an OpenMP region), "global", "call" (what a
/// call of the function returned), "pointer" (loaded from memory), "value".
struct Named {
  std::string name;
  const char* through;
};

/// Whether clang made the function of an OpenMP region or task.
bool is_outlined(const llvm::Function& function);

class Names {
 public:
  Names(const llvm::Function& in, const llvm::LoopInfo& with, const StandIns& known)
      : function(in), loops(with), stand_ins(known) {}

  /// With debug information the variable's name, members with it, else where it comes from: "argument 2".
  Named of(const llvm::Value& value) const;

 private:
  Named of_load(const llvm::LoadInst& load) const;
  Named of_argument(const llvm::Argument& argument) const;

  const llvm::Function& function;
  const llvm::LoopInfo& loops;
  const StandIns& stand_ins;
};

/// The line in the source, 0 without debug information.
unsigned line_of(const llvm::Instruction& instruction);

}  // namespace lbhm::compiler
