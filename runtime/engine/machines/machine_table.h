// The machines that a program can run on.
#pragma once

#include <memory>

#include "runtime/base/settings.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// What will be asked of a machine.
struct MachineUse {
  bool samples = false;    ///< somebody will look at them
  bool events = false;     ///< policies will, at those of all threads
  bool unlimited = false;  ///< fast memory shall have no limit
};

/// Makes the machine that the settings name. Errors: not_found, malformed.
Result<std::unique_ptr<Machine>> make_machine(const Settings& settings, const MachineUse& use);

}  // namespace lbhm
