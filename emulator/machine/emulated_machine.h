// The machine contract, carried out in virtual time.
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <new>

#include "emulator/base/address_range.h"
#include "emulator/base/process.h"
#include "emulator/core/cores.h"
#include "emulator/core/unseen_code.h"
#include "emulator/description/preset.h"
#include "emulator/machine/daemons.h"
#include "emulator/machine/emulated_execution.h"
#include "emulator/memory/page_map.h"
#include "emulator/schedule/quantum.h"
#include "runtime/machine/machine.h"

namespace lbhm::emulator {

class EmulatedMachine final : public Machine,
                              public SampleSource,
                              public PageObserver,
                              public PageCounts,
                              public PrivatelyAllocated {
 public:
  /// The calling thread becomes core 0. `patience`: how long a core may keep the others waiting in real time. `log`:
  /// where counts by page go, if the description asks for them.
  EmulatedMachine(const MachineDescription& description, std::chrono::milliseconds patience,
                  std::unique_ptr<PageCountLog> log = nullptr);
  ~EmulatedMachine() override;

  /// The machine of this process; null if there is none, and in a child made by fork(2).
  static EmulatedMachine* current();
  /// Accesses that came while there was no machine.
  static void count_unseen(std::uint64_t accesses);

  std::uint64_t serial() const { return serial_; }
  Cores& cores() { return cores_; }
  bool measuring() const { return execution_.measuring(); }
  /// The host has no memory for the emulator's tables: accesses are dropped from now on, virtual time stands still.
  void give_up();
  bool given_up() const { return given_up_.load(std::memory_order_relaxed); }
  /// Carries out a part of the emulation, but not in a child made by fork(2). Nothing that it throws gets out into the
  /// program.
  template <class Part>
  void guard(Part part) noexcept {
    if (in_child()) return;
    const EmulatorsOwnTime own;
    try {
      part();
    } catch (const std::bad_alloc&) { give_up(); }
  }
  /// lbhm::set_between_quanta; false where it cannot.
  bool set_between_quanta(std::atomic<std::uint8_t>& byte);
  /// Of a region that is not nested.
  void all_lanes_ended() {
    guard([&] { addresses_.settle(); });
  }
  void note_instrumented() { instrumented_.store(true, std::memory_order_relaxed); }
  /// Instrumented code is in the process from now on: daemons have something to do.
  static void code_comes();

  const Topology& topology() const override { return description_.topology; }
  Result<void*> reserve(Bytes bytes, Bytes alignment) override;
  Result<void*> reserve_for_lane(Bytes bytes, Bytes alignment, LaneId lane) override;
  void release(void* address, Bytes bytes) override;
  void adopt(std::uintptr_t address, Bytes bytes) override;
  void disown(std::uintptr_t address, Bytes bytes) override;
  Status prefer(std::uintptr_t address, Bytes bytes, std::span<const TierId> order) override;
  Status prefer_default(std::span<const TierId> order) override;
  Status prefer_unmanaged(std::span<const TierId> order) override;
  std::vector<PageRange> unmanaged() override;
  std::vector<PageRange> touched(PageRange range) override;
  Status scatter(double fast, std::uint64_t seed) override;
  void where(std::span<const std::uintptr_t> pages, std::span<TierId> out) override;
  void glance(std::span<const std::uintptr_t> pages, std::span<TierId> out) override;
  void move(std::span<const std::uintptr_t> pages, TierId to, std::span<PageStatus> out) override;
  Nanoseconds move_time(Bytes bytes, TierId from, TierId to) const override;
  Bytes room(TierId tier) override;
  Bytes peak_footprint() override { return pages_.peak_footprint(); }

  Status every(Nanoseconds interval, std::function<void()> duty) override;
  Status begin_duties() override;
  bool duties_rest() override { return !in_child() && daemons_.rest(); }
  void fall_silent() override;
  void limit_addresses(Bytes most) override;
  EmulatedExecution& execution() override { return execution_; }
  SampleSource* samples() override { return description_.sampling ? this : nullptr; }
  SampleSource* touches() override { return description_.touch_period > 0 ? &touches_ : nullptr; }
  PageObserver* observer() override { return this; }
  PageCounts* page_counts() override { return log_ ? this : nullptr; }
  void want_events() override;
  EventCounts events() override;
  std::optional<EventCounts> all_events() override;
  std::vector<AccessCount> accesses() override;
  std::vector<AccessCount> all_accesses() override { return cores_.accesses(); }
  std::vector<TierUse> tier_use() override;
  std::vector<std::string> remarks() override;

  AccessCount period() const override { return sample_period_; }
  std::uint64_t drain(std::vector<AccessSample>& out) override;
  void set_period(AccessCount period) override;

  void name_object(std::uintptr_t address, std::uint64_t site, std::uint64_t nth) override {
    log_->name_object(address >> page_bits, site, nth);
  }
  void end_interval(const CountedInterval& interval) override;
  Status save(std::span<const std::string> regions) override { return log_->close(regions); }

  void scan_accessed(std::span<const std::uintptr_t> pages, std::span<bool> out, bool clear) override;
  void arm_hint_faults(std::span<const std::uintptr_t> pages) override;
  void drain_hint_faults(std::vector<HintFault>& out) override;

 private:
  class Touches final : public SampleSource {
   public:
    explicit Touches(EmulatedMachine& machine) : machine_(machine) {}
    AccessCount period() const override;
    std::uint64_t drain(std::vector<AccessSample>& out) override;

   private:
    EmulatedMachine& machine_;
  };

  Result<void*> reserve_in(AddressRange::Part part, Bytes bytes, Bytes alignment);
  void release_pages(std::uintptr_t address, Bytes bytes, bool unmapped);
  Status check_order(std::span<const TierId> order) const;
  void remark_waits(std::vector<std::string>& lines);
  /// The calling thread copies a page from tier to tier.
  void charge_move(Core& core, TierId from, TierId to) const;
  /// The calling thread makes all cores forget where these pages are.
  void flush_translations(Core* core, std::span<const PageNumber> pages);
  void let_fall_out(Core& core, std::span<const PageNumber> pages);

  const ProcessMark mark_;
  const MachineDescription description_;
  AccessCount sample_period_;
  const std::unique_ptr<PageCountLog> log_;
  const std::uint64_t serial_;
  AddressRange addresses_;
  PageMap pages_;
  Quantum quantum_;
  Cores cores_;
  Touches touches_{*this};
  EmulatedExecution execution_;
  Daemons daemons_;
  std::atomic<bool> instrumented_{false};
  std::atomic<bool> given_up_{false};
};

}  // namespace lbhm::emulator
