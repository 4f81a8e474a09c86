#include "runtime/engine/machines/host_sources.h"

#include <utility>

#include "runtime/host/sampling/samplers.h"

namespace lbhm {
namespace {

void remark(HostSources& sources, std::string sentence) {
  if (!sentence.empty()) sources.remarks.push_back(std::move(sentence));
}

}  // namespace

Result<HostSources> make_host_sources(const Settings& settings, bool sampling, const HostServices& host,
                                      const std::string& root) {
  HostSources sources;
  std::string why;
  if (sampling) {
    SamplerOptions options{
        .kind = settings.sampler, .where = host.where, .managed = host.managed, .now = host.now, .root = root};
    if (settings.sample_period > 0) options.period = AccessCount(static_cast<double>(settings.sample_period));
    auto sampler = make_sampler(options, why);
    if (!sampler) return std::unexpected(sampler.error());
    sources.sampler = std::move(*sampler);
    // With a sampler it says why none of those before it in the list was taken.
    remark(sources, sources.sampler && !why.empty() ? "samplers that do not work here: " + why : why);
  }
  why.clear();
  sources.observer = make_page_observer({.root = root,
                                         .lane = host_lane,
                                         .now = host.now,
                                         .accessed = settings.accessed,
                                         .hint_faults = settings.hint_faults,
                                         .managed = host.managed},
                                        why);
  remark(sources, why);
  return sources;
}

}  // namespace lbhm
