// Threads, teams, barriers and mutexes of the program, in virtual time.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "emulator/base/private_memory.h"
#include "emulator/core/cores.h"
#include "emulator/core/mutexes.h"
#include "emulator/schedule/quantum.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

class EmulatedMachine;
class ThreadState;

class EmulatedExecution final : public Execution {
 public:
  EmulatedExecution(EmulatedMachine& machine, PageMap& pages, Quantum& quantum, Cores& cores)
      : machine_(machine), pages_(pages), quantum_(quantum), cores_(cores) {}

  std::uint64_t fork() override;
  void lane_begin(std::uint64_t team, LaneId lane, std::uint32_t size) override;
  bool wait_begin(Wait kind, const void* what) override;
  bool passed() override;
  void wait_end(Wait kind, const void* what) override;
  void mutex_released(const void* mutex) override;
  bool try_mutex(const void* mutex) override;
  bool has_mutex(const void* mutex) override;
  void join(std::uint64_t team) override;
  void ordered_begin() override;
  void ordered_end() override;
  /// As ordered_begin, for an atomic operation whose result is used, or the like; ordered_end follows. `keeps`: where
  /// they follow each other closely the turn is kept.
  void atomic_begin(bool keeps = true);
  void sleep() override { sleep({}); }
  void sleep(const emulator::Sleep& until);
  LaneName name() override;
  void wake(LaneName lane) override;
  void tasks_changed(std::uint64_t team, int ready, int unfinished) override;
  void measure(bool on) override;
  bool virtual_time() const override { return true; }
  void pass(Nanoseconds duration) override;
  Nanoseconds now() override;

  bool measuring() const { return measuring_.load(std::memory_order_relaxed); }
  /// The calling thread's core, which has executed all that the thread did; null when the thread is about to end.
  Core* flushed_core();

 private:
  struct Region : PrivatelyAllocated {
    Team team;
    Core* forker = nullptr;
    LaneId lane;                     ///< that it was at the fork: nested lanes count as it
    std::uint32_t serial_depth = 0;  // of the forking thread, before
  };

  Region* find(std::uint64_t team);
  PrivateVector<Member*> members_of(const Region& region, std::uint32_t size);

  EmulatedMachine& machine_;
  PageMap& pages_;
  Quantum& quantum_;
  Cores& cores_;
  std::atomic<bool> measuring_{true};
  std::mutex lock_;
  std::uint64_t last_team_ = 0;
  PrivateMap<std::uint64_t, std::unique_ptr<Region>> regions_;
  Mutexes mutexes_;
};

}  // namespace lbhm::emulator
