// A small machine with round numbers, so that expected times can be worked out by hand.
#pragma once

#include <memory>

#include "emulator/description/preset.h"
#include "emulator/machine/emulated_machine.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

inline constexpr Picoseconds ns = 1000;

/// 1 GHz, one instruction a cycle; a fast tier of `fast_pages` pages (100 ns, 64 GB/s: a line a nanosecond) and a slow
/// one of 1 GiB (200 ns sequential, 400 ns random, 16 GB/s). Nothing costs anything but misses.
inline MachineDescription small_machine(std::uint64_t fast_pages = 1 << 16) {
  MachineDescription machine;
  machine.topology.name = "small";
  machine.topology.tiers = {{.name = "fast",
                             .capacity = Bytes(fast_pages * 4096),
                             .latency_sequential = Nanoseconds(100),
                             .latency_random = Nanoseconds(100),
                             .read_bandwidth = BytesPerNanosecond(64),
                             .write_bandwidth = BytesPerNanosecond(64)},
                            {.name = "slow",
                             .capacity = GiB(1),
                             .latency_sequential = Nanoseconds(200),
                             .latency_random = Nanoseconds(400),
                             .read_bandwidth = BytesPerNanosecond(16),
                             .write_bandwidth = BytesPerNanosecond(16)}};
  machine.topology.cycles_per_nanosecond = 1;
  machine.core = {.dispatch_width = 1,
                  .misprediction_cycles = 20,
                  .l2_latency_cycles = 10,
                  .llc_latency_cycles = 50,
                  .reorder_window = 100,
                  .fill_buffers = 8,
                  .write_buffer = 16,
                  .l1 = {.sets = 8, .ways = 2},
                  .l2 = {.sets = 16, .ways = 4},
                  .llc = {.sets = 32, .ways = 4},
                  .tlb = {.sets = 64, .ways = 16},
                  .prefetcher = {.distance = 4, .maximum_stride = 32}};
  machine.sample_period = 1'000'000'000;
  machine.quantum = 10'000 * ns;
  return machine;
}

/// A load whose address comes from the last load of the same site, as the plugin describes a pointer chase.
inline constexpr std::uint32_t chase_site = 9;
inline std::uint64_t chase() {
  static const lbhm_emu_site site{.number = chase_site, .address_from = chase_site, .flags = 0};
  static const bool told = (lbhm_emu_module_v2(&site, &site + 1), true);
  static_cast<void>(told);
  return std::uint64_t{chase_site} << LBHM_EMU_SITE_SHIFT;
}

/// A store that goes past the caches.
inline constexpr std::uint32_t past_caches_site = 10;
inline std::uint64_t past_caches() {
  static const lbhm_emu_site site{.number = past_caches_site, .address_from = 0, .flags = LBHM_EMU_SITE_NONTEMPORAL};
  static const bool told = (lbhm_emu_module_v2(&site, &site + 1), true);
  static_cast<void>(told);
  return std::uint64_t{past_caches_site} << LBHM_EMU_SITE_SHIFT;
}

/// Plays the code that the plugin puts into a program.
class InstrumentedThread {
 public:
  void access(std::uint64_t address, std::uint64_t flags = 0, std::uint64_t instructions = 1) {
    work(instructions);
    *thread_.next++ = address | flags;
  }
  void work(std::uint64_t instructions) {
    if (thread_.next >= thread_.limit) lbhm_emu_refill_v2(&thread_);
    thread_.instructions += instructions;
    thread_.slots += instructions;
  }
  lbhm_emu_thread& raw() { return thread_; }

 private:
  lbhm_emu_thread thread_{};
};

/// Instrumented code of the calling thread; each thread has one, as in a program.
inline InstrumentedThread& instrumented() {
  static thread_local InstrumentedThread thread;
  return thread;
}

}  // namespace lbhm::emulator
