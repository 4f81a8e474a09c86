// The command line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/tensor/contraction.h"

namespace tensor {

/// --tns
struct Files {
  std::string x;
  std::string y;
  ContractModes modes;
};

struct Options : apps::CommonOptions {
  bool all_terms = true;     ///< --terms all; else the particle ladder alone
  unsigned atoms = 5;        ///< --atoms
  std::vector<Files> files;  ///< --tns; not empty: instead of --atoms
  unsigned inputs = 10;      ///< --inputs
};

inline constexpr unsigned max_inputs = 1000;
inline constexpr unsigned min_atoms = 2;

/// The arguments after the program's name. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

}  // namespace tensor
