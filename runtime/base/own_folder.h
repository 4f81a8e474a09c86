// Where LB-HM's own files are.
#pragma once

#include <string>

namespace lbhm {

/// <prefix>/lib: the folder of the library that this code is in, or the one above it for <prefix>/lib/host/liblbhm.so.
std::string own_folder();

}  // namespace lbhm
