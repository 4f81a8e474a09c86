// Whether the program could survive the fault of an armed page: the kernel ends it where SIGSEGV is blocked.
#pragma once

#include <optional>
#include <string>

namespace lbhm::sampling {

/// Why no page must be armed now, as a part of a sentence, which is empty where it is our own doing; nothing: they may
/// be. `root`: of /proc.
std::optional<std::string> obstacle(const std::string& root);

}  // namespace lbhm::sampling
