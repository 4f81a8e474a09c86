// How an instrumented program finds liblbhm.
#pragma once

#include "compiler/hidden.h"

namespace lbhm::compiler {

/// The functions of liblbhm, null where it is not in the process.
struct Entrances {
  llvm::GlobalVariable* refill;  ///< then `sink_refill`
  llvm::GlobalVariable* range;
  llvm::GlobalVariable* order;
  llvm::GlobalVariable* order_end;
};

/// Writes the function that looks for liblbhm and hands it the table of sites, and makes it a constructor: there are no
/// threads then that could lose entries. It may be called earlier.
llvm::Function* write_lookup(Hidden& hidden, const Entrances& entrances, llvm::Function* sink_refill);

}  // namespace lbhm::compiler
