#include "runtime/engine/machine_table.h"

#include <limits>
#include <string>

#include "lbhm/emulator.h"
#include "runtime/engine/share_folder.h"

namespace lbhm::engine {

Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, bool sampling, bool unlimited) {
  if (settings.memory_mode && settings.machine == "host") {
    return failure(
        StatusCode::invalid_argument,
        "memory-mode (LBHM_POLICY or LBHM_MEMORY_MODE): the host has one memory, and what stands in front of "
        "it is its own affair; choose an emulated machine with LBHM_MACHINE, or another policy");
  }
  if (settings.machine == "host") return make_host_machine();
  EmulatorOptions options{.fast_capacity = settings.fast_capacity,
                          .sampling = sampling,
                          .sample_period = settings.sample_period,
                          .seed = settings.seed,
                          .memory_mode = settings.memory_mode};
  if (unlimited) options.fast_capacity = Bytes(std::numeric_limits<std::int64_t>::max());
  const std::string presets = settings.presets.empty() ? share_folder("machines") : settings.presets;
  return make_emulated_machine(settings.machine, presets, options);
}

}  // namespace lbhm::engine
