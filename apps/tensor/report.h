// What the program prints: the same text for the same input on every run. Times go to standard error.
#pragma once

#include <span>

#include "apps/tensor/inputs.h"
#include "apps/tensor/options.h"
#include "apps/tensor/task.h"

namespace tensor {

void print_header(const Options& options);
void print_input(const Input& input, std::span<const Task> tasks, bool verified);

}  // namespace tensor
