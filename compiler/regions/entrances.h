// How marked code reaches liblbhm: hidden functions that do nothing without it.
#pragma once

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

struct RegionEntrances {
  llvm::Function* begin;    ///< void (record, frame)
  llvm::Function* end;      ///< void (record, frame)
  llvm::Function* unwound;  ///< void (record or null, frame)
};

/// Adds the functions, and a constructor that looks liblbhm up and hands it the records of the linked file.
RegionEntrances add_region_entrances(llvm::Module& module);

/// A call of one of them: the runtime reads there what the thread has done so far.
bool is_region_marker(const llvm::Instruction& instruction);

}  // namespace lbhm::compiler
