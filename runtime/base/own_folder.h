// Where LB-HM's own files are, and the program.
#pragma once

#include <string>

namespace lbhm {

/// <prefix>/lib: the folder of the library that this code is in, or the one above it for <prefix>/lib/host/liblbhm.so.
std::string own_folder();

/// The full path of the program in this process; empty where /proc does not tell.
std::string program_file();

}  // namespace lbhm
