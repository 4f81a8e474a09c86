// The sites that a run has met, in words: a site is a hash, which a reader of a report cannot turn back.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/objects/objects.h"

namespace lbhm {

/// A place in code or data is written as "file+0x1a2b": the offset in the module, for code that of the return address.
struct KnownSite {
  SiteId id;
  std::string name;                  ///< the user's, or the place that an object is called by
  std::vector<std::string> calls{};  ///< that led there, innermost first; none for names and variables
  bool variable = false;             ///< the name is the place of a variable
};

/// Remembers the first `most_known_sites` different sites; any thread, no lock. Throws std::bad_alloc.
void remember(KnownSite site);
/// Not remembered yet, and there is room for it: else its words need not be made.
bool is_news(SiteId id) noexcept;
/// By id.
std::vector<KnownSite> known_sites();
inline constexpr std::size_t most_known_sites = 4096;

}  // namespace lbhm
