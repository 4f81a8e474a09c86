// A file as one text.
#pragma once

#include <string>

#include "lbhm/status.h"
#include "lbhm/units.h"

namespace lbhm::engine {

/// What is in a file, at most `most` bytes. Errors, sentences without the file's name: not_found (there is none, it may
/// not be read, it is a folder), malformed (there is more).
Result<std::string> read_file(const std::string& path, Bytes most);

}  // namespace lbhm::engine
