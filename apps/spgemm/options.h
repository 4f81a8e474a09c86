// The command line.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spgemm {

struct Options {
  unsigned scale = 13;                ///< --kron
  std::vector<std::string> matrices;  ///< --matrix; not empty: instead of --kron
  unsigned inputs = 32;               ///< --inputs
  unsigned threads = 0;               ///< --threads; as many bins. Default: what OpenMP would use
  std::uint64_t seed = 1;             ///< --seed
  bool times = false;                 ///< --times
  bool help = false;                  ///< --help
};

inline constexpr unsigned max_inputs = 1000;

/// The arguments after the program's name. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

extern const char* const usage;

}  // namespace spgemm
