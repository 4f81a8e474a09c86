#include "apps/spgemm/inputs.h"

#include <cstddef>
#include <utility>

#include "apps/spgemm/kronecker.h"
#include "apps/spgemm/matrix_market.h"

namespace spgemm {
namespace {

Input make_input(std::string name, Triples entries) {
  Csr a = compress(entries);
  ManagedCsr b = transpose("B", a.view());
  return {std::move(name), std::move(entries), std::move(a), std::move(b)};
}

std::vector<Input> generate(const Options& options) {
  std::vector<Input> inputs;
  for (unsigned i = 0; i < options.inputs; ++i) {
    const std::uint64_t seed = options.seed + i;
    inputs.push_back(make_input("kron " + std::to_string(options.scale) + " seed " + std::to_string(seed),
                                make_kronecker(options.scale, seed)));
  }
  return inputs;
}

std::vector<Input> read(const Options& options) {
  std::vector<Triples> files;
  files.reserve(options.matrices.size());
  for (const std::string& path : options.matrices) files.push_back(read_matrix_market_file(path));
  std::vector<Input> inputs;
  for (std::size_t i = 0; i < options.inputs; ++i) {
    const std::size_t file = i % files.size();
    const bool again = i >= files.size();
    const std::uint64_t seed = options.seed + i;
    inputs.push_back(make_input(options.matrices[file] + (again ? " permuted " + std::to_string(seed) : ""),
                                again ? permute_rows(files[file], seed) : files[file]));
  }
  return inputs;
}

}  // namespace

std::vector<Input> make_inputs(const Options& options) {
  return options.matrices.empty() ? generate(options) : read(options);
}

}  // namespace spgemm
