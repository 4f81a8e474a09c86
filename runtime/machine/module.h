// The small shared modules beside liblbhm.so, one for each library that may be missing on a computer.
#pragma once

#include <string>

namespace lbhm::host {

/// The function `symbol` of the module `file` in the folder of this library. Null, with a sentence in `why`: the module
/// or the library that it links is not there. `library` and `package` are named to the user. A module stays loaded.
void* module_function(const char* file, const char* symbol, const char* library, const char* package, std::string& why);

}  // namespace lbhm::host
