// Whether the loops of a nest write to the place from which a pointer or a bound is loaded.
//
// LLVM's alias analysis has to assume that a store through char* or void** changes every pointer in memory. For what
// pattern an access has it is enough that nobody writes through the same base: an aliasing store would have to be a
// trick that the source does not show either.
#pragma once

#include "compiler/patterns/nest.h"
#include "llvm/ADT/DenseMap.h"

namespace lbhm::compiler {

class Writes {
 public:
  explicit Writes(const Nest& in);

  /// Whether a store in the loop goes, or a call that gets the base as an argument may go, to the bytes that are
  /// loaded.
  bool may_change(const llvm::LoadInst& load, const llvm::Loop& loop) const;

 private:
  struct Write {
    const llvm::Instruction* by;
    const llvm::Value* pointer;  ///< null: anywhere behind the base
    llvm::Type* type;
  };

  bool may_hit(const Write& write, const llvm::LoadInst& load) const;

  const Nest& nest;
  llvm::DenseMap<const llvm::Value*, llvm::SmallVector<Write, 2>> writes;  ///< by base
};

/// The value from which the pointer is computed by offsets alone.
const llvm::Value* base_value(const llvm::Value* pointer);

}  // namespace lbhm::compiler
