// The command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"

namespace pic {

struct Options : apps::CommonOptions {
  std::string deck;                   ///< --deck: a file
  std::string built_in = "standard";  ///< --built-in, unless there is a file
  unsigned scale = 1;                 ///< --scale: so many times the cells and the beam's particles in each direction
  bool print_deck = false;            ///< --print-deck
};

inline constexpr unsigned max_scale = 16;

/// The arguments after the program's name. Throws apps::InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

}  // namespace pic
