// Where the path of an output leads.
#pragma once

#include <string>

#include "runtime/base/status.h"

namespace lbhm::files {

struct OutputPlace {
  enum class Way : unsigned char {
    descriptor,  ///< of this process: written to where it stands, neither truncated nor closed
    as_it_is,    ///< a device, a pipe, something below /dev or /proc: opened and written to, never made or replaced
    fresh        ///< a file that appears whole
  };
  Way way = Way::fresh;
  int descriptor = -1;
  std::string path;     ///< without a link at its end, but for those of /proc, which are none
  bool follow = false;  ///< such a one
};

/// Errors: unavailable, a sentence without the path.
Result<OutputPlace> find_output_place(const std::string& path);

}  // namespace lbhm::files
