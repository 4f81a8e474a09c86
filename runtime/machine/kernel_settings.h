// What the kernel does with pages on its own account, and against us.
#pragma once

#include <string>
#include <vector>

#include "runtime/machine/sysfs.h"

namespace lbhm::host {

/// Sentences for settings of the kernel that undo placements, with the command that changes them.
std::vector<std::string> contrary_settings(const Sysfs& sysfs);

}  // namespace lbhm::host
