// Files of the kernel that discovery goes without.
#pragma once

#include <string>
#include <vector>

#include "runtime/machine/sysfs.h"

namespace lbhm::host {

/// One sentence for /sys and one for /proc where files of theirs cannot be read: which, why, and the remedy.
std::vector<std::string> unreadable_files(const Sysfs& sysfs);

}  // namespace lbhm::host
