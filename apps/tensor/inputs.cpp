#include "apps/tensor/inputs.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>

#include "apps/common/error.h"
#include "apps/tensor/block_tensor.h"
#include "apps/tensor/molecule.h"
#include "apps/tensor/tns.h"

namespace tensor {
namespace {

/// A term of the coupled-cluster doubles equations (e.g. J. Stanton et al., J. Chem. Phys. 94, 1991): amplitudes times
/// integrals. Numbers of modes are from 0.
struct Term {
  std::string_view name;
  std::string_view x_spaces;
  std::string_view y_spaces;
  std::vector<unsigned> x_modes;
  std::vector<unsigned> y_modes;
  int more_atoms;  ///< than --atoms says
};

// Sizes: the later terms have roughly a quarter to four times the products of the first one.
const Term terms[] = {
    {"particle ladder", "oovv", "vvvv", {2, 3}, {0, 1}, 0},   // Z_ijab = sum_cd T_ijcd V_cdab
    {"ring", "oovv", "ovvo", {1, 3}, {0, 2}, 2},              // Z_iajb = sum_kc T_ikac V_kbcj
    {"particle ladder", "oovv", "vvvv", {2, 3}, {0, 1}, 1},   // the same for a larger molecule
    {"hole ladder", "oovv", "oovo", {0, 1}, {0, 1}, 3},       // Z_abcl = sum_ij T_ijab V_ijcl
    {"particle ladder", "oovv", "vvvv", {2, 3}, {0, 1}, -1},  // the same for a smaller molecule
    {"ring", "oovv", "ovvo", {1, 3}, {0, 2}, 1},
};

Input generate_one(const Options& options, std::size_t number) {
  constexpr double cutoff = 0.12;  // assumption: a few percent of the places within a block are left
  const Term& change = terms[number % std::size(terms)];
  const Term& term = options.all_terms ? change : terms[0];
  const std::uint64_t seed = options.seed + number;
  const auto atoms = static_cast<unsigned>(std::max(static_cast<int>(options.atoms) + change.more_atoms, 1));
  const Molecule molecule = make_molecule(atoms, seed);
  return {std::string(term.name) + " " + std::to_string(atoms) + " atoms",
          make_block_tensor(molecule, term.x_spaces, Decay::amplitude, cutoff, seed),
          make_block_tensor(molecule, term.y_spaces, Decay::coulomb, cutoff, seed + 1),
          {term.x_modes, term.y_modes}};
}

std::vector<Input> generate(const Options& options) {
  std::vector<Input> inputs;
  inputs.reserve(options.inputs);
  for (std::size_t i = 0; i < options.inputs; ++i) inputs.push_back(generate_one(options, i));
  return inputs;
}

Input read_one(const Files& files, bool again, std::uint64_t seed) {
  Entries x = read_tns_file(files.x);
  const Entries y = read_tns_file(files.y);
  std::string name = files.x + " * " + files.y;
  if (again) {
    x = permute_mode(std::move(x), 0, seed);
    name += " permuted " + std::to_string(seed);
  }
  try {
    return {std::move(name), x, y, files.modes};
  } catch (const apps::InputError& error) {
    throw apps::InputError("--tns " + files.x + " " + files.y + ": " + error.what());
  }
}

std::vector<Input> read(const Options& options) {
  std::vector<Input> inputs;
  inputs.reserve(options.inputs);
  for (std::size_t i = 0; i < options.inputs; ++i) {
    const std::size_t count = options.files.size();
    inputs.push_back(read_one(options.files[i % count], i >= count, options.seed + i));
  }
  return inputs;
}

}  // namespace

Input::Input(std::string given_name, const Entries& given_x, const Entries& given_y, const ContractModes& modes)
    : name(std::move(given_name)),
      x("X", given_x),
      y("Y", given_y),
      contraction(make_contraction(given_x.shape, given_y.shape, modes)) {}

std::vector<Input> make_inputs(const Options& options) {
  return options.files.empty() ? generate(options) : read(options);
}

}  // namespace tensor
