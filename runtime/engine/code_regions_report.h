// The part `code_regions` of the run report.
#pragma once

#include <nlohmann/json.hpp>

namespace lbhm::engine {

/// A record a region that was executed, with one record a lane. An empty array in programs without marks.
nlohmann::ordered_json code_regions_json();

}  // namespace lbhm::engine
