// Where pages of new objects should appear, learned from what was planned for the objects before them.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "lbhm/placement.h"

namespace lbhm::placement {

/// Programs that allocate anew for every input allocate in the same order and give the same names. An object's key is
/// its name, or if it has none which of the unnamed ones since the last scope began it is. What was planned to be in
/// fast memory at x % of one object is expected there at x % of the next one with its key.
/// Not for concurrent use.
class Births {
 public:
  /// A new object: the ranges of it that should appear in fast memory; nothing if no plan was made for its key.
  MigrationPlan place(const PlacedObject& object, Bytes page);
  void scope_begins(const ScopeStart& start);
  /// What should be fast of the objects of the scope that began last, by address.
  void learn(std::span<const PageRange> fast, Bytes page);

 private:
  /// From 0 to 1, parts of the object's pages.
  struct Part {
    double begin = 0, end = 0;
  };
  std::unordered_map<std::uintptr_t, std::string> keys_;  // by address
  std::map<std::string, std::vector<Part>> parts_;
  std::vector<PlacedObject> scope_;
  std::uint64_t unnamed_ = 0;
};

}  // namespace lbhm::placement
