// libFuzzer target: whatever is in a machine file, the parser returns a machine that the emulator can run on, or one
// complaint that names the file.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "emulator/description/preset.h"

namespace {

using lbhm::emulator::CacheShape;
using lbhm::emulator::MachineDescription;

bool usable(const CacheShape& cache) { return cache.sets > 0 && cache.ways > 0 && cache.ways < 32; }

bool usable(const lbhm::Tier& tier) {
  return tier.capacity.value > 0 && tier.latency_sequential.value > 0 && tier.latency_random.value > 0 &&
         tier.read_bandwidth.value > 0 && tier.write_bandwidth.value > 0 && std::has_single_bit(tier.granularity.value);
}

bool usable(const lbhm::emulator::Curves& curves) {
  for (const double part : {0.0, 0.3, 0.77, 1.0}) {
    if (!(curves.bandwidth(part) > 0)) return false;
    for (const double use : {0.0, 0.1, 0.5, 0.9, 1.0}) {
      const double latency = curves.latency(use, part);
      if (!(latency >= 1 - 1e-9 && latency <= 100 + 1e-9)) return false;
    }
  }
  return true;
}

bool usable(const lbhm::emulator::TierDetail& detail, const lbhm::Tier& tier) {
  return (!detail.curves || usable(*detail.curves)) && detail.loaded_latency_ratio >= 1 &&
         (tier.granularity.value == 64) == (detail.buffer.value == 0);
}

bool usable(const MachineDescription& machine) {
  const auto& tiers = machine.topology.tiers;
  if (tiers.empty() || tiers.size() > lbhm::emulator::maximum_tiers) return false;
  for (const lbhm::Tier& tier : tiers) {
    if (!usable(tier)) return false;
  }
  if (machine.tier_details.size() != tiers.size()) return false;
  for (std::size_t i = 0; i < tiers.size(); ++i) {
    if (!usable(machine.tier_details[i], tiers[i])) return false;
  }
  const auto& core = machine.core;
  if (!std::has_single_bit(core.l1.sets) || !std::has_single_bit(core.l2.sets) || !usable(core.tlb)) return false;
  return usable(core.l1) && usable(core.l2) && usable(core.llc) && core.dispatch_width > 0 && core.reorder_window > 0 &&
         core.fill_buffers > 0 && core.fill_buffers <= 64 && core.write_buffer > 0 &&
         machine.migration.copy_bandwidth.value > 0 && machine.topology.cycles_per_nanosecond > 0 &&
         machine.sample_period > 0 && machine.quantum > 0;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto machine = lbhm::emulator::parse_machine(text, "fuzz.json");
  if (machine) {
    if (!usable(*machine)) std::abort();
  } else if (machine.error().code() != lbhm::StatusCode::malformed ||
             machine.error().message().find("fuzz.json") == std::string::npos) {
    std::abort();
  }
  return 0;
}
