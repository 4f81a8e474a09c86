// Is the calling thread executing LB-HM's own code? A signal handler that interrupted it there must take no lock and no
// memory of ours: the thread below may hold the one and be changing the other.
#pragma once

namespace lbhm {

/// How many of these live on the calling thread.
inline constinit thread_local int insides = 0;

/// Stands at the entries of LB-HM.
class Inside {
 public:
  Inside() { ++insides; }
  ~Inside() { --insides; }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
};

inline bool inside() { return insides > 0; }

}  // namespace lbhm
