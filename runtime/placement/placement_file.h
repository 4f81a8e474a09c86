// The file of setting placement (schema lbhm.placement/2, docs/files.md).
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/placement/placement.h"

namespace lbhm {

/// For a machine with `tiers` tiers and pages of `page`. Errors: malformed, a sentence without the file's name.
Result<PlacementScript> parse_placement(std::string_view content, std::size_t tiers, Bytes page);
/// The same from a file. Errors: invalid_argument (no path), not_found, malformed; they name the setting and the file.
Result<PlacementScript> read_placement(const std::string& path, std::size_t tiers, Bytes page);

}  // namespace lbhm
