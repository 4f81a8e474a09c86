// What the compiler found in the program's loops, as its modules hand it over.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/patterns/patterns.h"

namespace lbhm {

/// What the modules of the process handed over, wherever they were loaded from; filled before and while the engine
/// runs.
class CompiledModules {
 public:
  static CompiledModules& of_process();
  /// All texts between the two ends, and the switch of the linked file that they are part of.
  void add(const char* first, const char* last, unsigned char* noting);
  /// Puts texts that came since the last call into the catalog. Returns complaints about those that cannot be read.
  std::vector<std::string> hand_over(PatternCatalog& catalog);
  /// From now on loops are noted, or not.
  void note(bool on);
  /// True if at least one module came.
  bool any() const;

 private:
  struct Impl;
  CompiledModules();
  std::unique_ptr<Impl> impl_;
};

}  // namespace lbhm
