// What accesses are counted from, and where the program is to note where it lies.
#pragma once

#include <string>
#include <vector>

#include "compiler/patterns/address.h"
#include "compiler/patterns/base_notes.h"
#include "compiler/patterns/source_names.h"

namespace lbhm::compiler {

/// A note to be placed once all modules' bases have numbers.
struct NotePlace {
  llvm::Instruction* before;
  BasePath path;
};

struct Base {
  const llvm::Value* value;
  const llvm::Loop* loop;  ///< the outermost in which it does not change; null: none
  Named named;
  std::vector<NotePlace> places;
  double frequency = 0;  ///< of all places together, for each call of the function
};

/// The bases of a nest.
class Bases {
 public:
  Bases(const Nest& in, const Resolver& with, const Names& called) : nest(in), resolver(with), names(called) {}

  /// Index of the base of an access in the loop. `reads_pointer`: what is loaded is a pointer.
  std::size_t find(const llvm::Value& pointer, const Address& address, const llvm::Loop& loop, bool reads_pointer);

  std::vector<Base> all;

 private:
  void place(Base& base) const;
  bool find_path(llvm::Value& value, const llvm::Loop& loop, BasePath& path) const;

  const Nest& nest;
  const Resolver& resolver;
  const Names& names;
};

}  // namespace lbhm::compiler
