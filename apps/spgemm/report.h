// What the program prints: the same text for the same input on every run. Times go to standard error.
#pragma once

#include <cstdint>
#include <span>

#include "apps/spgemm/inputs.h"
#include "apps/spgemm/options.h"
#include "apps/spgemm/task.h"

namespace spgemm {

void print_header(const Options& options);
void print_input(const Input& input, std::span<const Task> tasks, bool verified);

}  // namespace spgemm
