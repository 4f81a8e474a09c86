// A look at a JSON text before it is parsed: a few bytes of it can cost the parser hundreds each.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace lbhm::model {

inline constexpr int most_levels = 32;               ///< XGBoost nests 8
inline constexpr std::size_t most_values = 1 << 24;  ///< a tree has a dozen a node

/// Empty, or one sentence: the text is nested too deep or has too many values to be a model. One pass, no memory.
std::string beyond_limits(std::string_view text);

}  // namespace lbhm::model
