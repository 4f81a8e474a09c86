// A thread that keeps all others waiting: what is said of it while it does.
#pragma once

#include <string>

namespace lbhm::emulator {

/// Where code lies: "function in file.cpp:12"; where the line is not known (no -g, or no libdw) "function in
/// file+0x12"; where the function has no name, without it. Empty for code of no file. Allocates.
std::string place_name(const void* code);

/// Says on the standard error that the others wait, since `seconds`, for a thread that was last seen at `code`.
void say_others_wait(const void* code, long long seconds);

}  // namespace lbhm::emulator
