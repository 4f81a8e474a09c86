// Of this room alone: how to get from a frame of the stack to that of its caller, as the compiler wrote it down.
//
// Compilers leave a table for each function (.eh_frame; LSB Core, "Exception Frames", and DWARF 5, section 6.4), which
// says for each instruction where the caller's frame begins and where it keeps the caller's registers. Of that we want
// one line: that of a return address, of code for x86-64.
#pragma once

#include <cstdint>
#include <span>

namespace lbhm {

struct FrameRule {
  enum class Base : std::uint8_t {
    unknown,        ///< only a full unwinder can tell
    stack_pointer,  ///< the stack pointer after the call has returned
    frame_pointer,
    outermost,  ///< there is no caller
  };

  Base base = Base::unknown;
  bool saves_frame_pointer = false;  ///< false: it is the caller's own
  std::int16_t saved = 0;            ///< where the caller's frame pointer stands, from the caller's stack pointer
  std::int32_t size = 0;             ///< from the base to the caller's stack pointer; 8 below it is the return address
};

/// The rule of the frame in which a call returns to `address`.
FrameRule frame_rule(std::uintptr_t address);

/// The same from the tables of a function, after their lengths (CIE and FDE), for the code `offset` bytes behind its
/// begin. Unknown if they are damaged.
FrameRule frame_rule(std::span<const unsigned char> common, std::span<const unsigned char> function,
                     std::uint64_t offset);

}  // namespace lbhm
