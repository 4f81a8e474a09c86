// Reader of Matrix Market coordinate files. Format: https://math.nist.gov/MatrixMarket/formats.html
#pragma once

#include <istream>
#include <string>

#include "apps/spgemm/csr.h"

namespace spgemm {

/// Reads `matrix coordinate real|integer|pattern general|symmetric|skew-symmetric`; the half that a symmetric file
/// leaves out is added. Pattern entries have the value 1. `name` stands for the file in error sentences. Throws
/// InputError, "name:line: what is wrong and what was expected".
Triples read_matrix_market(std::istream& stream, const std::string& name);
/// The same from a file. Throws InputError also if the file cannot be opened.
Triples read_matrix_market_file(const std::string& path);

}  // namespace spgemm
