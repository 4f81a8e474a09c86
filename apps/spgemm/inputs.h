// The list of matrices that the program works through.
#pragma once

#include <string>
#include <vector>

#include "apps/spgemm/csr.h"
#include "apps/spgemm/managed_csr.h"
#include "apps/spgemm/spgemm_options.h"

namespace spgemm {

struct Input {
  std::string name;
  Triples entries;  ///< as generated or read; kept for the verification
  Csr a;
  ManagedCsr b;  ///< A^T, shared by all threads
};

/// With --kron: a graph for each of the seeds seed, seed + 1, ... With --matrix: the files in turn; when a file's turn
/// comes again, its rows are in another order, so that the work is spread over the threads in another way.
/// Throws InputError (files) and std::bad_alloc.
std::vector<Input> make_inputs(const Options& options);

}  // namespace spgemm
