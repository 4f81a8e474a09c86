// The text that the plugin writes into a module, read.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/patterns/patterns.h"

namespace lbhm::patterns {

struct ModulePatterns {
  std::uint64_t id = 0;
  std::string source;
  std::unordered_map<std::uint32_t, PatternBase> bases;  ///< by number within the module
};

/// Errors: malformed, a sentence without the name of what was read.
Result<ModulePatterns> read_module(std::string_view text);
/// The modules of a patterns file. Errors: likewise.
Result<std::vector<ModulePatterns>> read_file(std::string_view content);

}  // namespace lbhm::patterns
