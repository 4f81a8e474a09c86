// The command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/dmrg/lattice_model.h"
#include "apps/dmrg/sweep_table.h"

namespace dmrg {

struct Options : apps::CommonOptions {
  ModelOptions model{.kind = Kind::hubbard, .length = 16, .width = 1, .interaction = 4};
  std::string table;              ///< --sweeps
  std::vector<Sweep> sweeps;      ///< of the table, or of --dims, or the default
  std::size_t measured_from = 3;  ///< --measure: the first sweep that is measured, from 1
};

/// The arguments after the program's name; reads the table. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

}  // namespace dmrg
