#include "runtime/engine/machine_table.h"

#include <limits>
#include <string>
#include <utility>

#include "lbhm/emulator.h"
#include "lbhm/host.h"
#include "lbhm/samplers.h"
#include "runtime/engine/share_folder.h"

namespace lbhm::engine {

namespace {

/// Samplers and observers of the host, with what is not there as remarks.
Result<HostSources> make_sources(const Settings& settings, bool sampling, const HostServices& host) {
  HostSources sources;
  std::string why;
  if (sampling) {
    SamplerOptions options{.kind = settings.sampler, .where = host.where, .managed = host.managed, .now = host.now};
    if (settings.sample_period > 0) options.period = AccessCount(static_cast<double>(settings.sample_period));
    auto sampler = make_sampler(options, why);
    if (!sampler) return std::unexpected(sampler.error());
    sources.sampler = std::move(*sampler);
    if (!sources.sampler) sources.remarks.push_back(why);
  }
  why.clear();
  sources.observer = make_page_observer({.root = "/", .lane = host_lane, .now = host.now}, why);
  if (!sources.observer) sources.remarks.push_back(why);
  return sources;
}

Result<std::unique_ptr<Machine>> make_host(const Settings& settings, bool sampling, bool unlimited) {
  return make_host_machine(
      {.tiers = settings.tiers,
       .fast_capacity = unlimited ? std::nullopt : settings.fast_capacity,
       .spread = settings.spread,
       .huge_pages = settings.huge_pages,
       .small_objects = settings.small_objects,
       .root = "/",
       .sources = [&](const HostServices& host) { return make_sources(settings, sampling, host); }});
}

}  // namespace

Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, bool sampling, bool unlimited) {
  if (settings.memory_mode && settings.machine == "host") {
    return failure(
        StatusCode::invalid_argument,
        "memory-mode (LBHM_POLICY or LBHM_MEMORY_MODE): the host has one memory, and what stands in front of "
        "it is its own affair; choose an emulated machine with LBHM_MACHINE, or another policy");
  }
  if (settings.machine == "host" && !settings.page_counts.empty()) {
    return failure(StatusCode::invalid_argument,
                   "LBHM_PAGE_COUNTS=" + settings.page_counts +
                       ": the host cannot count accesses by page; choose an emulated machine with LBHM_MACHINE, or "
                       "unset it");
  }
  if (settings.machine == "host") return make_host(settings, sampling, unlimited);
  EmulatorOptions options{.fast_capacity = settings.fast_capacity,
                          .sampling = sampling,
                          .sample_period = settings.sample_period,
                          .seed = settings.seed,
                          .memory_mode = settings.memory_mode,
                          .contention = settings.contention,
                          .page_counts = settings.page_counts};
  if (unlimited) options.fast_capacity = Bytes(std::numeric_limits<std::int64_t>::max());
  const std::string presets = settings.presets.empty() ? share_folder("machines") : settings.presets;
  return make_emulated_machine(settings.machine, presets, options);
}

}  // namespace lbhm::engine
