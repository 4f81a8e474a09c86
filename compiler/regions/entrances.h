// How marked code reaches liblbhm: hidden functions that do nothing without it.
#pragma once

#include "llvm/IR/Module.h"

namespace lbhm::compiler {

struct RegionEntrances {
  llvm::Function* begin;    ///< void (record, frame)
  llvm::Function* end;      ///< void (record, frame)
  llvm::Function* unwound;  ///< void (record or null, frame)
};

/// Adds the functions, and a constructor that looks liblbhm up and hands it the records of the linked file.
RegionEntrances add_region_entrances(llvm::Module& module);

}  // namespace lbhm::compiler
