// Options of the programs that are written as strangers would: whole numbers alone.
#pragma once

#include <initializer_list>
#include <optional>

namespace apps {

/// The option `name` (--size) sets `number`, which is from `least` to `most`.
struct NumberOption {
  const char* name;
  int& number;
  int least, most;
  const char* meaning;  // with the default
};

/// Reads these options, --threads, which it tells OpenMP, and --help. A status: the program is to end with it, for the
/// help was asked for (0), or an option is bad (2), which the standard error says.
std::optional<int> read_options(int argc, char** argv, const char* program, const char* description,
                                std::initializer_list<NumberOption> options);

}  // namespace apps
