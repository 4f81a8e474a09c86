// The machines that a program can run on.
#pragma once

#include <memory>

#include "lbhm/machine.h"
#include "lbhm/settings.h"
#include "lbhm/status.h"

namespace lbhm::engine {

/// Makes the machine that the settings name. `sampling` says whether anybody will look at samples, `unlimited` that
/// fast memory shall have no limit. Errors: not_found, malformed.
Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, bool sampling, bool unlimited);

}  // namespace lbhm::engine
