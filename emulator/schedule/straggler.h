// A thread that keeps all others waiting: what is said of it while it does.
#pragma once

#include <string>

namespace lbhm::emulator {

/// Where code lies, as a reader can look it up: "function in file+0x12" where the function has a name, else
/// "file+0x12". Empty for code of no file. Allocates.
std::string place_name(const void* code);

/// Says on the standard error that the others wait, since `seconds`, for a thread that was last seen at `code`.
void say_others_wait(const void* code, long long seconds);

}  // namespace lbhm::emulator
