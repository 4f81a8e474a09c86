#include "runtime/engine/machine_table.h"

#include <dlfcn.h>

#include <limits>
#include <string>

#include "lbhm/emulator.h"

namespace lbhm::engine {
namespace {

/// <prefix>/lib/liblbhm.so finds its presets in <prefix>/share/lbhm/machines.
std::string presets_beside_library() {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<const void*>(&presets_beside_library), &info) || !info.dli_fname) return ".";
  const std::string library = info.dli_fname;
  const auto slash = library.rfind('/');
  return (slash == std::string::npos ? std::string(".") : library.substr(0, slash)) + "/../share/lbhm/machines";
}

}  // namespace

Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, bool sampling, bool unlimited) {
  if (settings.memory_mode && settings.machine == "host") {
    return failure(StatusCode::invalid_argument,
                   "LBHM_MEMORY_MODE=on: the host has one memory, and what stands in front of it is its own affair; "
                   "choose an emulated machine with LBHM_MACHINE, or unset it");
  }
  if (settings.machine == "host") return make_host_machine();
  EmulatorOptions options{.fast_capacity = settings.fast_capacity,
                          .sampling = sampling,
                          .sample_period = settings.sample_period,
                          .seed = settings.seed,
                          .memory_mode = settings.memory_mode};
  if (unlimited) options.fast_capacity = Bytes(std::numeric_limits<std::int64_t>::max());
  const std::string presets = settings.presets.empty() ? presets_beside_library() : settings.presets;
  return make_emulated_machine(settings.machine, presets, options);
}

}  // namespace lbhm::engine
