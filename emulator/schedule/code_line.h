// What liblbhm-dw.so says of a place in the program's code.
#pragma once

#include <cstdint>

namespace lbhm::emulator {

struct SourcePlace {
  const char* function = nullptr;  ///< as the linker knows it; null: no name
  const char* file = nullptr;      ///< null: built without -g
  int line = 0;
};

/// Calls found(with, place), once or not at all; what `place` points to lives until that returns. Allocates.
using FindCodeLine = void (*)(std::uintptr_t code, void (*found)(void* with, const SourcePlace& place), void* with);
inline constexpr const char* find_code_line = "lbhm_code_line_v1";

}  // namespace lbhm::emulator
