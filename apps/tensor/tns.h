// Reader of FROSTT files (.tns). Format: http://frostt.io/tensors/file-formats.html: a line for each non-zero, its
// coordinates, counted from 1, then its value; lines that begin with # are comments. The shape is not in the file.
#pragma once

#include <istream>
#include <string>

#include "apps/tensor/coo.h"

namespace tensor {

/// Entries at the same place are added up. `name` stands for the file in error sentences. Throws InputError,
/// "name:line: what is wrong and what was expected".
Entries read_tns(std::istream& stream, const std::string& name);
/// The same from a file. Throws InputError also if the file cannot be opened.
Entries read_tns_file(const std::string& path);

}  // namespace tensor
