// What the emulator knows of one thread of the program: its core, and the buffers of the instrumented modules in it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "emulator/base/private_memory.h"
#include "emulator/core/emulated_core.h"
#include "emulator/core/unseen_code.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

class EmulatedMachine;
class ThreadState;

/// The buffer of one instrumented module in one thread.
struct Context : PrivatelyAllocated {
  static constexpr std::size_t capacity = 2048;

  lbhm_emu_thread* program = nullptr;
  ThreadState* thread = nullptr;
  const void* looked_at = nullptr;  ///< the last load that may wait for another thread's store
  bool looking = false;             ///< that load comes now
  unsigned in_vain = 0;             ///< how often it came again, with nothing in between
  Work seen;                        ///< the sums as they were at the last refill
  std::uint64_t buffer[capacity + LBHM_EMU_SINK];

  void make_room();
  /// What happened since the last call.
  Work take_work();
};

class ThreadState : public PrivatelyAllocated {
 public:
  /// Of the calling thread; null when the thread is about to end.
  static ThreadState* current();
  /// The calling thread is about to end: how far it came, and time that passes for it since. Else 0.
  static Picoseconds clock_at_end();
  static void pass_at_end(Picoseconds duration);

  /// The core of this thread on `machine`; a thread that nobody announced gets one of its own.
  Core& core(EmulatedMachine& machine);
  /// Null when it has none yet.
  Core* known_core(const EmulatedMachine& machine) const;
  void bind(EmulatedMachine& machine, Core& core);

  void add_context(EmulatedMachine& machine, lbhm_emu_thread* program);
  /// The thread wants its events, whatever core it is on: how long loads were under way is counted, too.
  void count_loads();
  /// Lets the core execute what is in the context's buffer.
  void execute(EmulatedMachine& machine, Context& context);
  /// The same for all contexts.
  void flush(EmulatedMachine& machine);
  /// The plugin's code has called from there.
  void note_place(const void* code) {
    if (core_ != nullptr) core_->member().place.store(code, std::memory_order_relaxed);
  }
  /// The thread ends: its contexts go back to the state that they were born in.
  void close();

  /// Teams of one lane around the thread, inside its innermost team of several.
  std::uint32_t serial_depth = 0;

 private:
  std::uint64_t machine_ = 0;  // serial number of the machine that core_ belongs to
  std::shared_ptr<Core> core_;
  PrivateVector<Context*> contexts_;
  ThreadTimer timer_;
  bool counts_loads_ = false;
};

/// Sends further entries nowhere: they are overwritten.
void use_sink(lbhm_emu_thread& program);

}  // namespace lbhm::emulator
