// Which sampler and which observer of pages the host gets.
#pragma once

#include <string>

#include "runtime/base/settings.h"
#include "runtime/host/host.h"

namespace lbhm {

/// What works here, by the settings; a remark for what does not, and for what is used in its place. `sampling`: the
/// policy wants samples. `root`: of /sys and /proc, for tests. Errors: those of make_sampler.
Result<HostSources> make_host_sources(const Settings& settings, bool sampling, const HostServices& host,
                                      const std::string& root = "/");

}  // namespace lbhm
