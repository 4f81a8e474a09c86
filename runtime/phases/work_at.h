// What a lane works at.
#pragma once

#include <cstdint>

namespace lbhm {

/// The name of a task, as a number that is the same in the whole process; 0: none.
using TaskNumber = std::uint32_t;

/// What a lane works at. Each explicit task has its own, kept while it is suspended.
struct WorkAt {
  TaskNumber task = 0;     ///< 0: the lane's own work
  bool construct = false;  ///< an explicit task that has no name but its construct's
  bool waiting = false;    ///< in a barrier or for a mutex: its time is not work, whatever the runtime does in it
};

}  // namespace lbhm
