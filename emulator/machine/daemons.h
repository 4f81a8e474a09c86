// Functions that run at intervals of virtual time, each on an emulated core of its own.
//
// They run when a quantum closes: then no core of a team runs, and all have come as far. Not on the thread that closes
// it, but on a thread of their own for which that one waits: what they ask malloc for does not shift the blocks of a
// thread that was last by chance, and they do not run inside an allocator or a handler of the program.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/core/emulated_core.h"
#include "emulator/schedule/gate.h"
#include "emulator/schedule/quantum.h"

namespace lbhm::emulator {

class EmulatedMachine;

class Daemons final : public CloseDuties {
 public:
  Daemons(EmulatedMachine& machine, std::chrono::milliseconds patience) : machine_(machine), patience_(patience) {}
  ~Daemons() override;
  Daemons(const Daemons&) = delete;
  Daemons& operator=(const Daemons&) = delete;

  /// `core` is the daemon's; its first turn is `interval` after `now`.
  void add(Core& core, Picoseconds interval, Picoseconds now, std::function<void()> duty);

  /// Before there is instrumented code and before this there is no thread. Throws std::system_error if there can be
  /// none.
  void begin();
  /// The thread ends, for good.
  void end();
  /// The thread ends until begin(), and intervals pass. False: there is none.
  bool rest();

  bool due(Picoseconds now) const override { return next_.load(std::memory_order_relaxed) <= now; }
  void run(Picoseconds now) override;
  /// A daemon did not come back in time; none has run since.
  bool lost() const { return lost_.load(std::memory_order_relaxed); }

 private:
  struct Daemon {
    Core* core = nullptr;
    Picoseconds interval = 0;
    Picoseconds next = 0;
    std::function<void()> duty;
  };

  void start_thread();
  void pass_over(Picoseconds now);
  void serve(std::uint32_t seen);
  void run_due();
  void run_one(Daemon& daemon, Picoseconds now);

  EmulatedMachine& machine_;
  const std::chrono::milliseconds patience_;
  std::mutex lock_;               // guards the list; what it holds is the daemons' thread's
  PrivateDeque<Daemon> daemons_;  // in the order of registration
  std::atomic<Picoseconds> next_{never};
  std::atomic<Picoseconds> now_{0};
  Gate asked_;
  Gate done_;
  std::atomic<bool> stop_{false};
  std::atomic<bool> lost_{false};
  std::atomic<bool> running_{false};  ///< there is a thread
  bool ended_ = false;
  std::thread thread_;
  std::atomic<pid_t> number_{0};  // of the thread, gettid(2)
  int process_ = 0;               // that the thread lives in
};

}  // namespace lbhm::emulator
