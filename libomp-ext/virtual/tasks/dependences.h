// The depend clauses of the children of one task (OpenMP 5.2, 15.9.5).
#pragma once

#include <cstdint>
#include <memory_resource>
#include <unordered_map>
#include <vector>

#include "libomp-ext/virtual/tasks/lane_memory.h"

namespace lbhm::tasks {

struct Node;
struct Depend;

/// Keeps, for every address, the tasks that came last: one that writes, or several that read (or form an inoutset), and
/// those before them. mutexinoutset counts as inout, which is one of the orders that it allows.
class Dependences {
 public:
  ~Dependences();
  /// Adds the node behind those that it depends on: each of them that is unfinished gets it as a successor, and it one
  /// blocker for each. `remember`: later tasks may depend on it.
  void add(Node& node, const Depend& depend, bool remember);

 private:
  using Nodes = std::pmr::vector<Node*>;
  struct Address {
    std::uint8_t kind = 0;
    Nodes last{&private_memory()};    // all of one kind
    Nodes before{&private_memory()};  // what `last` had to wait for
  };

  static void add_to(Address& address, Node& node, std::uint8_t kind, bool remember);

  std::pmr::unordered_map<std::intptr_t, Address> addresses_{&private_memory()};
  Address everything_;  // omp_all_memory
};

}  // namespace lbhm::tasks
