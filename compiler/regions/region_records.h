// What code looks like, as a number: the part of a region's id that comments and moved lines do not change.
#pragma once

#include <cstdint>
#include <string>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/DebugLoc.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace lbhm::compiler {

/// A hash of the blocks' instructions: opcodes, predicates, types, names of called functions, and where branches lead
/// among these blocks. Neither lines nor constants nor names of values are in it.
std::uint64_t shape_of(llvm::ArrayRef<llvm::BasicBlock*> blocks);

// The records of a module's code regions (lbhm/code_regions.h), and the ids in them.

/// What is to be said of a region.
struct RegionNote {
  const llvm::Function* function;
  std::string which;    ///< of the function's regions: the number of the loop, or "parallel"
  std::uint64_t shape;  ///< shape_of its blocks
  std::string file;     ///< where it stands, "" if unknown
  std::uint32_t line;   ///< 0 if unknown
  std::uint16_t kind;   ///< LBHM_REGION_LOOP, ...
  bool marked;          ///< it has a place where it begins
};

class RegionRecords {
 public:
  explicit RegionRecords(llvm::Module& of) : module(of) {}

  /// Adds the record; it lives as long as its function does. Returns its variable.
  llvm::GlobalVariable* add(const RegionNote& note);
  /// Keeps the records in the linked file.
  void keep();

 private:
  std::uint64_t free_id(const RegionNote& note);

  llvm::Module& module;
  llvm::DenseSet<std::uint64_t> taken;
  llvm::SmallVector<llvm::GlobalValue*, 16> made;
};

/// The path relative to the folder LBHM_PLUGIN_REGIONS_ROOT (the working directory without it), if it lies there.
std::string region_file(llvm::StringRef folder, llvm::StringRef file);

}  // namespace lbhm::compiler
