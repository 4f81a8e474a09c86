// The table of sweeps, as ITensor's programs read it from their input files.
#pragma once

#include <cstddef>
#include <istream>
#include <string>
#include <vector>

#include "apps/dmrg/split.h"

namespace dmrg {

/// One line of the table.
struct Sweep {
  Truncation truncation;
  std::size_t iterations = 2;  ///< of Davidson's method for each pair of sites: products H * x
};

inline constexpr std::size_t max_dimension = 100000;
inline constexpr std::size_t max_iterations = 50;
inline constexpr std::size_t max_sweeps = 1000;

/// Reads
///     sweeps {
///       maxdim mindim cutoff niter noise
///       50     10     1e-10  3     0
///     }
/// % begins a comment line. The column names are these five in this order; noise must be 0. `name` stands for the file
/// in error sentences. Throws apps::InputError, "name:line: sentence".
std::vector<Sweep> read_sweep_table(std::istream& stream, const std::string& name);
/// The same for a file. Throws apps::InputError if it cannot be opened.
std::vector<Sweep> read_sweep_table(const std::string& path);

}  // namespace dmrg
