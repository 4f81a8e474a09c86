// The hidden symbols by which a module hands its patterns to liblbhm and notes where bases lie.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/ValueHandle.h"

namespace lbhm::compiler {

struct PatternSymbols {
  llvm::GlobalVariable* noting;  ///< the switch: a byte, 0 as long as nobody wants to know
  llvm::Function* note;          ///< void (base, address)
};

/// Adds the symbols and the constructor, once a module. They merge when modules are linked.
PatternSymbols pattern_symbols(llvm::Module& module);

// The notes of where bases lie: placed before the optimiser's last passes, written out behind them.
//
// Between the two a note is one call of a function that the optimiser takes for one that touches no memory of the
// program. So neither the branch nor the look at the switch stands in the optimiser's way, and the instrumentation
// finds the program's own code as it would be without notes.

/// How the base is reached from a value that is there before the loop: the pointer at root + offset is loaded, for each
/// offset.
struct BasePath {
  llvm::Value* root = nullptr;
  llvm::SmallVector<std::int64_t, 2> offsets;
};

/// Longer paths are not noted.
constexpr unsigned longest_path = 3;

/// Notes base `number` of the module `id` at the end of a block, of which that is the last instruction.
void place_note(llvm::Instruction& end, std::uint64_t id, unsigned number, const BasePath& path);

/// The notes of a module. While there is such an object their operands are hidden: the instrumentation counts uses.
class Notes {
 public:
  explicit Notes(llvm::Module& in);
  /// Writes out those of one function.
  void expand(llvm::Function& function);
  /// Writes out all that are left.
  void finish();

 private:
  struct Note {
    llvm::CallInst* call;
    llvm::WeakTrackingVH root;
  };

  void expand(const Note& note);

  llvm::Module& module;
  llvm::Function* placed;
  std::map<llvm::Function*, std::vector<Note>> notes;
};

}  // namespace lbhm::compiler
