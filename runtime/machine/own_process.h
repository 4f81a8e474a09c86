// What a thread does at its end, it does for the process that it began in.
#pragma once

#include <sys/types.h>
#include <unistd.h>

namespace lbhm::host {

/// A child of a fork has copies of its parent's thread-locals, and destroys them. What they belong to is the parent's:
/// locks that a thread which the child does not have may hold for ever, and descriptors that both share.
class OwnProcess {
 public:
  void note() { process_ = getpid(); }
  /// False: never noted, or noted by the parent.
  bool still() const { return process_ == getpid(); }

 private:
  pid_t process_ = 0;
};

}  // namespace lbhm::host
