#include "apps/spgemm/options.h"

#include <omp.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <limits>

#include "apps/spgemm/error.h"
#include "apps/spgemm/kronecker.h"

namespace spgemm {
namespace {

std::uint64_t parse_number(std::string_view option, std::string_view word, std::uint64_t least, std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc{} || end != word.data() + word.size() || number < least || number > most) {
    throw InputError(std::string(option) + ": '" + std::string(word) + "' must be a whole number from " +
                     std::to_string(least) + " to " + std::to_string(most) + ".");
  }
  return number;
}

}  // namespace

const char* const usage =
    "Usage: spgemm [--kron SCALE | --matrix FILE...] [--inputs N] [--threads N] [--seed N] [--times]\n"
    "Multiplies sparse matrices with their own transpose, one after the other: C = A * A^T.\n"
    "  --kron SCALE   Kronecker graphs with 2^SCALE vertices, one for each seed (default: 13)\n"
    "  --matrix FILE  a Matrix Market file; may be given several times\n"
    "  --inputs N     number of matrices (default: 32, or the number of files if there are several)\n"
    "  --threads N    threads, and bins of rows (default: what OpenMP would use)\n"
    "  --seed N       seed of the first graph or permutation (default: 1)\n"
    "  --times        wall times, on standard error\n"
    "Exit status: 0 verified, 1 wrong result or not enough memory, 2 bad option or file.\n";

Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  bool kron = false;
  bool inputs = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view option = arguments[i];
    const auto word = [&] {
      if (i + 1 == arguments.size()) throw InputError(std::string(option) + ": a value must follow. See --help.");
      return arguments[++i];
    };
    const auto number = [&](std::uint64_t least, std::uint64_t most) {
      return parse_number(option, word(), least, most);
    };
    if (option == "--kron") {
      options.scale = static_cast<unsigned>(number(1, kronecker_max_scale));
      kron = true;
    } else if (option == "--matrix") {
      options.matrices.emplace_back(word());
    } else if (option == "--inputs") {
      options.inputs = static_cast<unsigned>(number(1, max_inputs));
      inputs = true;
    } else if (option == "--threads") {
      options.threads = static_cast<unsigned>(number(1, max_threads));
    } else if (option == "--seed") {
      options.seed = number(0, std::numeric_limits<std::uint32_t>::max());
    } else if (option == "--times") {
      options.times = true;
    } else if (option == "--help") {
      options.help = true;
    } else {
      throw InputError("unknown option '" + std::string(option) + "'. See --help.");
    }
  }
  if (kron && !options.matrices.empty()) throw InputError("--kron and --matrix exclude each other: give one of them.");
  if (!inputs && options.matrices.size() > 1) options.inputs = static_cast<unsigned>(options.matrices.size());
  if (options.threads == 0) options.threads = static_cast<unsigned>(std::max(omp_get_max_threads(), 1));
  return options;
}

}  // namespace spgemm
