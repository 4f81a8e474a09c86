// The command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"

namespace spgemm {

struct Options : apps::CommonOptions {
  unsigned scale = 13;                ///< --kron
  std::vector<std::string> matrices;  ///< --matrix; not empty: instead of --kron
  unsigned inputs = 32;               ///< --inputs
};

inline constexpr unsigned max_inputs = 1000;

/// The arguments after the program's name. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

}  // namespace spgemm
