// Who has which mutex of the program, in virtual time: first come, first served by the clocks, not by chance.
//
// A core that has a mutex here takes the program's own at once, because only the one who has it here tries. Cores out
// of step (threads without OpenMP) leave it to the program's mutex who comes first.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/core/emulated_core.h"

namespace lbhm::emulator {

class Mutexes {
 public:
  /// Returns when the core has the mutex. At once if it has it already (nested locks).
  void acquire(Core& core, const void* name);
  /// False if another core has it.
  bool try_acquire(Core& core, const void* name);
  /// The core has the program's mutex, maybe once more: its clock is not before the last release.
  void acquired(Core& core, const void* name);
  /// As often as acquired(); the last one gives the mutex to the core that has waited longest.
  void release(Core& core, const void* name);
  /// acquired() more often than released.
  bool has(const Core& core, const void* name);

 private:
  struct Mutex {
    /// By number: a thread may end with a mutex that nobody gives back.
    std::optional<std::uint64_t> owner;
    std::uint32_t depth = 0;  ///< how often the owner has it
    PrivateVector<Core*> waiting;
    Picoseconds released = 0;
  };
  /// The core has slept for the mutex; it has it now, or everybody was let go.
  void stop_waiting(Core& core, const void* name);
  /// Takes the mutex if nobody else has it.
  bool take(Core& core, const void* name, bool queue);

  std::mutex lock_;
  PrivateHashMap<const void*, Mutex> mutexes_;
};

}  // namespace lbhm::emulator
