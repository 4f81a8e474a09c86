#include "libomp-ext/ompt/leagues.h"

#include <cstdint>

namespace lbhm::openmp {
namespace {

/// Innermost first.
class Answers {
 public:
  bool any() const { return count_ > 0; }
  bool innermost() const { return (bits_ & 1) != 0; }
  void begin(bool answer) {
    bits_ = bits_ << 1 | (answer ? 1 : 0);
    ++count_;
  }
  bool end() {
    const bool answer = innermost();
    bits_ >>= 1;
    count_ -= count_ > 0;
    return answer;
  }

 private:
  std::uint64_t bits_ = 0;
  std::uint32_t count_ = 0;
};

/// Whether the constructs that the thread began are out of sight, and whether the leagues' initial tasks that it
/// executes are lanes.
constinit thread_local Answers hidden, lanes;

bool initial_task(ompt_scope_endpoint_t endpoint, unsigned team_size, unsigned index) {
  if (endpoint == ompt_scope_end) return lanes.any() && lanes.end();
  if (index == 1 && team_size == 1) return false;  // the program's own, or that of a thread of its own
  lanes.begin(index > 0 || !hidden.innermost());
  return lanes.innermost();
}

}  // namespace

bool is_region(unsigned requested, int flags, const void* codeptr) {
  const bool league = (static_cast<unsigned>(flags) & ompt_parallel_league) != 0;
  const bool launch = !league && codeptr == nullptr && lanes.any();
  hidden.begin(launch || (league && requested == 1));
  return !hidden.innermost();
}

bool was_region() { return !hidden.end(); }

bool is_lane(ompt_scope_endpoint_t endpoint, unsigned team_size, unsigned index, int flags) {
  if ((static_cast<unsigned>(flags) & ompt_task_initial) != 0) return initial_task(endpoint, team_size, index);
  return index > 0 || !hidden.innermost();
}

}  // namespace lbhm::openmp
