// Of this room alone: the calls that led here, and how to find them at a few nanoseconds each.
//
// What a full unwinder finds out of a return address is kept: the module that holds it, and the rule that leads to the
// caller's frame (frame_rule.h). Where functions keep a frame pointer the rule says so; but the next frame pointer
// alone would not do, as it leaves out those that called in between without one.
#pragma once

#include <optional>

#include "runtime/objects/frame_rule.h"
#include "runtime/objects/loaded_code.h"

namespace lbhm {

struct Call {
  std::uintptr_t address = 0;  ///< that it returns to
  FrameRule rule;
  Module module;
};
/// `gone`: what modules_gone() says. Any thread, no lock of ours, no allocation.
Call known_call(std::uintptr_t address, std::uint64_t gone);

/// Goes from a frame of this thread to the next. Reads the thread's own stack alone.
class StackCursor {
 public:
  /// `frame`: what __builtin_frame_address(0) is for a function that has not returned. The first call is that function.
  explicit StackCursor(const void* frame);

  /// The next call; nothing after the outermost one, or where the way is lost.
  std::optional<Call> next();
  /// Where its return address stands.
  std::uintptr_t at() const { return stack_ - sizeof(void*); }
  /// A frame was met that only a full unwinder can read.
  bool lost() const { return lost_; }

 private:
  bool read(std::uintptr_t at, std::uintptr_t& value);

  std::uintptr_t stack_, frame_pointer_ = 0, end_;
  FrameRule rule_;  ///< of the frame that next() leaves
  const std::uint64_t gone_ = modules_gone();
  bool lost_ = false;
};

}  // namespace lbhm
