// The sentences of this room: one line each on standard error, made without allocating.
#pragma once

#include <array>

namespace lbhm::allocators {

/// A sentence of bounded length; what does not fit is cut.
struct Sentence {
  std::array<char, 400> text{};

  [[gnu::format(printf, 1, 2)]] static Sentence format(const char* format, ...);
};

/// Prints "LB-HM: <sentence>" as one line.
void say(const Sentence& sentence);
/// The same for mistakes that a program may make a million times: only the first 20 are shown, the last with a note.
void say_limited(const Sentence& sentence);
/// Prints the line and ends the program (omp_atv_abort_fb).
[[noreturn]] void say_and_abort(const Sentence& sentence);

}  // namespace lbhm::allocators
