// Part of the door of runtime/base: JSON that users wrote.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "runtime/base/status.h"

namespace lbhm {

/// A few bytes of a text can cost the parser hundreds each, and a deep value as much stack as it has levels when it is
/// copied or printed: the limits are looked at before there is a value.
struct JsonLimits {
  int levels = 64;                  ///< no format of ours nests 10
  std::size_t values = 1ull << 25;  ///< an oracle's placement of 512 GiB has a tenth of it
};

/// Errors: no_memory; malformed, a sentence without the file's name that says where the text stops being JSON.
Result<nlohmann::json> parse_json(std::string_view text, const JsonLimits& limits = {});

}  // namespace lbhm
