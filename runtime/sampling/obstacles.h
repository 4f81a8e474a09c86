// Whether the program could survive the fault of an armed page: the kernel ends it where SIGSEGV is blocked.
#pragma once

#include <string>

namespace lbhm::sampling {

/// Why no page must be armed now, as a part of a sentence; empty: they may be. `root`: of /proc.
std::string obstacle(const std::string& root);

}  // namespace lbhm::sampling
