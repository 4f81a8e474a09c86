// Files that the user names in settings.
#pragma once

#include <string>

#include "lbhm/patterns.h"
#include "lbhm/status.h"

namespace lbhm::engine {

/// Reads a patterns file (setting patterns) into the catalog; nothing if `path` is empty. Errors: not_found, malformed.
Status read_patterns_file(const std::string& path, PatternCatalog& catalog);

}  // namespace lbhm::engine
