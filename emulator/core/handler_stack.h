// A stack for our handler on threads and coroutines of the program that have a few KiB: what the kernel saves of a core
// with wide vectors is half of that.
#pragma once

namespace lbhm::emulator {

/// The alternate stack of one thread (sigaltstack(2)), if the program gave it none; its own later one takes the place.
class HandlerStack {
 public:
  HandlerStack() = default;
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;
  /// What ends on another thread than it began on stays mapped.
  ~HandlerStack();

  /// For the calling thread.
  void make();

 private:
  void* memory_ = nullptr;
};

}  // namespace lbhm::emulator
