#include "runtime/engine/machines/machine_table.h"

#include <limits>
#include <string>

#include "emulator/emulator.h"
#include "runtime/engine/machines/host_sources.h"
#include "runtime/engine/machines/share_folder.h"
#include "runtime/host/host.h"

namespace lbhm {

namespace {

Result<std::unique_ptr<Machine>> make_host(const Settings& settings, const MachineUse& use) {
  return make_host_machine({.tiers = settings.tiers,
                            .fast_capacity = use.unlimited ? std::nullopt : settings.fast_capacity,
                            .spread = settings.spread,
                            .huge_pages = settings.huge_pages,
                            .small_objects = settings.small_objects,
                            .heap = settings.heap,
                            .root = "/",
                            .sources = [&](const HostServices& host) {
                              return make_host_sources(settings, use.samples || !settings.uses.empty(), host);
                            }});
}

}  // namespace

Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, const MachineUse& use) {
  if (settings.memory_mode && settings.machine == "host") {
    return failure(
        StatusCode::invalid_argument,
        "memory-mode (LBHM_POLICY or LBHM_MEMORY_MODE): whether memory of the host stands in front of another one "
        "is set in its firmware; choose another policy, or an emulated machine (lbhm run --machine optane; without "
        "lbhm "
        "LBHM_MACHINE=optane)");
  }
  if (settings.machine == "host" && !settings.page_counts.empty()) {
    return failure(StatusCode::invalid_argument,
                   "LBHM_PAGE_COUNTS=" + settings.page_counts +
                       ": the host cannot count accesses by page; choose an emulated machine (lbhm run --machine "
                       "optane; without lbhm LBHM_MACHINE=optane), or unset it");
  }
  if (settings.machine == "host") return make_host(settings, use);
  if (!can_emulate()) {
    return failure(
        StatusCode::invalid_argument,
        "LBHM_MACHINE=" + settings.machine +
            ": the liblbhm.so in the folder host is for real machines alone; use the one in the folder above "
            "it, or unset LBHM_MACHINE");
  }
  EmulatorOptions options{.fast_capacity = settings.fast_capacity,
                          .sampling = use.samples,
                          .load_counts = use.events,
                          .sample_period = settings.sample_period,
                          .touch_period = settings.uses.empty() ? 0 : settings.touch_period,
                          .seed = settings.seed,
                          .other_clock = settings.other_clock,
                          .memory_mode = settings.memory_mode,
                          .contention = settings.contention,
                          .page_counts = settings.page_counts};
  if (use.unlimited) options.fast_capacity = Bytes(std::numeric_limits<std::int64_t>::max());
  const std::string presets = settings.presets.empty() ? share_folder("machines") : settings.presets;
  return make_emulated_machine(settings.machine, presets, options);
}

}  // namespace lbhm
