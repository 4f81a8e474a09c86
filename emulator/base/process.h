// Whose process this is: an emulated machine lives in the process that made it, not in its children.
#pragma once

#include <mutex>

namespace lbhm::emulator {

/// An emulated machine is about to live in this process: the first member of one.
struct ProcessMark {
  ProcessMark();
};
/// True in children of that process, fork(2) or not (_Fork and clone run no handlers): they have its memory without its
/// threads, and locks that nobody gives back. No lock, no allocation, no system call.
bool in_child();
/// For what a child may do, too, as far as it can: there, a lock that somebody held at the fork is not waited for.
inline std::unique_lock<std::mutex> lock_if_possible(std::mutex& mutex) {
  return in_child() ? std::unique_lock(mutex, std::try_to_lock) : std::unique_lock(mutex);
}
/// From now on this process is as a child is.
void leave_process();

}  // namespace lbhm::emulator
