// The machines that a program can run on.
#pragma once

#include <memory>

#include "runtime/base/settings.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// Makes the machine that the settings name. `sampling` says whether anybody will look at samples, `unlimited` that
/// fast memory shall have no limit. Errors: not_found, malformed.
Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, bool sampling, bool unlimited);

}  // namespace lbhm
