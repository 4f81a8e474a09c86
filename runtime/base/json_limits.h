// A look at a JSON text before it is parsed.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/json.h"

namespace lbhm::files {

/// Empty, or one sentence: the text is nested too deep or has too many values. One pass, no memory.
std::string beyond_limits(std::string_view text, const JsonLimits& limits);

}  // namespace lbhm::files
