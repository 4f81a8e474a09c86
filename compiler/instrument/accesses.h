// Which memory accesses an instruction makes, and which of them the emulated machine is to see.
#pragma once

#include <cstdint>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/Alignment.h"

namespace lbhm::compiler {

/// How the bytes of an access lie in memory.
enum class Shape : std::uint8_t {
  plain,   ///< `bytes` from `pointer`
  masked,  ///< a vector from `pointer`, only the elements whose bit of `mask` is set
  packed,  ///< as many elements from `pointer` as `mask` has bits (expandload, compressstore)
  lanes,   ///< `pointer` is a vector of addresses (gather, scatter)
  range,   ///< `size` bytes from `pointer`, too many or unknown (memcpy)
};

struct Access {
  llvm::Instruction* instruction;
  llvm::Value* pointer;
  Shape shape = Shape::plain;
  bool write = false;
  bool nontemporal = false;                   ///< a store past the caches
  llvm::Instruction* address_from = nullptr;  ///< the load that the address is computed from
  llvm::Align align{1};
  std::uint64_t bytes = 0;      ///< plain: of the access; masked, packed: of one element
  llvm::Value* mask = nullptr;  ///< masked, packed, lanes
  llvm::Value* size = nullptr;  ///< range
};

/// What one instruction does to memory.
struct Accesses {
  llvm::SmallVector<Access, 2> seen;
  unsigned count = 0;    ///< loads and stores that the instruction stands for; ranges are counted by the emulator
  unsigned skipped = 0;  ///< left alone: stack, thread-locals, constants, other address spaces
};

/// Copies of constant size up to this many bytes become plain accesses.
constexpr std::uint64_t small_copy_bytes = 64;

/// Larger loads and stores (of whole structures as one value) do not occur in code from C or C++ and are left alone.
constexpr std::uint64_t largest_plain_bytes = 2048;

Accesses find_accesses(llvm::Instruction& instruction, const llvm::TargetLibraryInfo& library);

// Which load a value is computed from: an address, or the condition of a branch.

class LoadDependences {
 public:
  LoadDependences(const llvm::TargetLibraryInfo& known, const llvm::LoopInfo& of, const llvm::DominatorTree& before,
                  llvm::ScalarEvolution& with)
      : library(known), loops(of), dominators(before), evolution(with) {}

  /// The load that `value`, as `user` needs it, comes from through operations, phi nodes and local variables: the
  /// last one of the iteration that reads elsewhere in each iteration of the innermost loop, else the nearest such one
  /// of an earlier iteration, else the nearest one. In `p = p->next` it is the load itself, in `a[idx[i]]` that of
  /// idx[i]. Null: arguments, constants, results of calls.
  llvm::Instruction* source_of(llvm::Value& value, const llvm::Instruction& user) const;

  /// Whether `load` reads elsewhere in each iteration of the innermost loop around `user`.
  bool varies_around(llvm::Instruction& load, const llvm::Instruction& user) const;

 private:
  llvm::Instruction* last_varying(llvm::Value& value, const llvm::Instruction& user, bool same_iteration) const;
  llvm::Instruction* nearest(llvm::Value& value) const;
  bool has_site(llvm::Instruction& load) const;

  const llvm::TargetLibraryInfo& library;
  const llvm::LoopInfo& loops;
  const llvm::DominatorTree& dominators;
  llvm::ScalarEvolution& evolution;
};

}  // namespace lbhm::compiler
