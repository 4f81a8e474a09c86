// The list of contractions that the program works through.
#pragma once

#include <string>
#include <vector>

#include "apps/tensor/contraction.h"
#include "apps/tensor/coo.h"
#include "apps/tensor/tensor_options.h"

namespace tensor {

struct Input {
  Input(std::string given_name, const Entries& given_x, const Entries& given_y, const ContractModes& modes);

  std::string name;
  Coo x;
  Coo y;
  Contraction contraction;
};

/// With --atoms: terms of the coupled-cluster doubles equations for molecules of different size, the first of them the
/// base input. With --tns: the files in turn; when their turn comes again, the indices of the first mode of X are in
/// another order. Throws InputError (files) and std::bad_alloc.
std::vector<Input> make_inputs(const Options& options);

}  // namespace tensor
