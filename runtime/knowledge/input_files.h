// Files that the user names in settings.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/model.h"
#include "runtime/base/status.h"
#include "runtime/knowledge/block_profile.h"
#include "runtime/patterns/patterns.h"

namespace lbhm {

/// Reads a patterns file (setting patterns) into the catalog; nothing if `path` is empty. Errors: not_found, malformed.
Status read_patterns_file(const std::string& path, PatternCatalog& catalog);

/// A table of stencils (schema lbhm.alpha/1). Errors: malformed, a sentence without the file's name; also if it was
/// measured on a machine that is not called `machine`.
Result<StencilTable> parse_stencils(std::string_view content, const std::string& machine);
/// The same from the file of setting alpha; empty if `path` is empty. Errors: not_found, malformed.
Result<StencilTable> read_alpha_file(const std::string& path, const std::string& machine);

/// The file of setting profile; nothing if `path` is empty. Errors: not_found, malformed; invalid_argument if it was
/// measured on another machine.
Result<std::optional<BlockProfile>> read_profile(const std::string& path, const std::string& machine);

}  // namespace lbhm
