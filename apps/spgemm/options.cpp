#include "apps/spgemm/options.h"

#include "apps/common/arguments.h"
#include "apps/common/error.h"
#include "apps/common/kronecker.h"

namespace spgemm {
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
  for (apps::Arguments at(arguments, options); at.next();) {
    if (at.is("--kron")) {
      options.scale = static_cast<unsigned>(at.number(1, apps::kronecker_max_scale));
      kron = true;
    } else if (at.is("--matrix")) {
      options.matrices.emplace_back(at.word());
    } else if (at.is("--inputs")) {
      options.inputs = static_cast<unsigned>(at.number(1, max_inputs));
      inputs = true;
    } else {
      at.common();
    }
  }
  if (kron && !options.matrices.empty()) {
    throw apps::InputError("--kron and --matrix exclude each other: give one of them.");
  }
  if (!inputs && options.matrices.size() > 1) options.inputs = static_cast<unsigned>(options.matrices.size());
  return options;
}

}  // namespace spgemm
