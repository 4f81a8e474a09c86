// Whose process this is: an emulated machine lives in the process that made it, not in its children.
#pragma once

namespace lbhm::emulator {

/// An emulated machine is about to live in this process: the first member of one.
struct ProcessMark {
  ProcessMark();
};
/// True in children of that process, fork(2) or not (_Fork and clone run no handlers): they have its memory without its
/// threads, and locks that nobody gives back. No lock, no allocation, no system call.
bool in_child();
/// From now on this process is as a child is.
void leave_process();

}  // namespace lbhm::emulator
