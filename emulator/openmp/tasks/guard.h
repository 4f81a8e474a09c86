// How the locks of explicit tasks and of ordered loops are held.
#pragma once

#include <mutex>

#include "runtime/own_memory/inside.h"

namespace lbhm::tasks {

/// A handler of a signal that interrupts the holder sees that it is inside of LB-HM, and waits for nobody.
class Guard {
 public:
  explicit Guard(std::mutex& lock) : lock_(lock) {}

 private:
  Inside here_;
  std::lock_guard<std::mutex> lock_;
};

}  // namespace lbhm::tasks
