// Parts of LB-HM that need a library which may not be installed: shared objects beside liblbhm.so, opened when wanted.
#pragma once

#include <string>

#include "runtime/base/status.h"

namespace lbhm::host {

/// The folder that holds the library which this code is in.
std::string own_folder();

/// The function `entry` of the module `file` in `folder`. The module stays open for ever.
/// Errors: unavailable, with a sentence that names `package`, Debian's package of the library behind the module.
Result<void*> open_module(const std::string& folder, const char* file, const char* entry, const char* package);

}  // namespace lbhm::host
