#include "apps/spgemm/spgemm_options.h"

#include "apps/common/command_line.h"
#include "apps/common/mini_app.h"
#include "apps/common/random_graphs.h"

namespace spgemm {
Options parse_options(const std::vector<std::string_view>& arguments) {
  Options options;
  apps::CommandLine line(
      "spgemm", "Multiplies sparse matrices with their own transpose, one after the other: C = A * A^T.", "", options);
  CLI::Option* const kron = line.add_number("--kron", options.scale, 1, apps::kronecker_max_scale,
                                            "Kronecker graphs with 2^N vertices, one for each seed (default: 13)");
  line.add_option("--matrix", options.matrices, "a Matrix Market file; may be given several times")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->excludes(kron);
  const CLI::Option* const inputs =
      line.add_number("--inputs", options.inputs, 1, max_inputs,
                      "number of matrices (default: 32, or the number of files if there are several)");
  line.add_seed("seed of the first graph or permutation");
  line.read(arguments);
  if (inputs->empty() && options.matrices.size() > 1) options.inputs = static_cast<unsigned>(options.matrices.size());
  return options;
}

}  // namespace spgemm
