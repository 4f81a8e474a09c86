// Times of basic blocks, measured offline by `lbhm profile` (file lbhm.profile/1, docs/blocks.md; section 5.2).
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/phases/block_counts.h"

namespace lbhm {

/// Of one execution; negative: not measured.
struct BlockTime {
  Nanoseconds slow{-1};
  Nanoseconds fast{-1};
};

struct ProfiledModule {
  std::string source;
  std::vector<BlockTime> times;  ///< by counter of the module
};

struct BlockProfile {
  std::string file;
  std::string machine;
  std::map<std::uint64_t, ProfiledModule> modules;  ///< by id
};

/// Errors: malformed, naming the file and what is wrong with it.
Result<BlockProfile> parse_profile(std::string_view text, const std::string& file);

/// What is known of all counters of the modules, by counter number. `profile`: null for none. Times are only taken for
/// modules whose code is still that which was measured.
std::vector<BlockFacts> block_facts(const std::vector<BlockModule>& modules, const BlockProfile* profile);
/// A sentence for each module whose source was profiled, but is not the same any more.
std::vector<std::string> stale_modules(const std::vector<BlockModule>& modules, const BlockProfile& profile);

}  // namespace lbhm
