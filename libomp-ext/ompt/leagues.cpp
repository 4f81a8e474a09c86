#include "libomp-ext/ompt/leagues.h"

#include <pthread.h>

#include <atomic>
#include <bit>
#include <cstdint>

namespace lbhm::openmp {
namespace {

/// A bit for each, innermost lowest.
struct Nesting {
  std::uint32_t hidden = 0;  ///< parallel constructs that the thread began: out of sight
  std::uint32_t lanes = 1;   ///< leagues' initial tasks that it executes: lanes. Above them a 1
};

constinit std::atomic<bool> any_league{false};

/// Of the calling thread. Not thread_local: the size of the library's part of each thread's stack decides on which
/// lines the program's variables lie, and virtual time with it.
class OwnNesting {
 public:
  Nesting get() const {
    const auto kept = reinterpret_cast<std::uintptr_t>(pthread_getspecific(key()));
    return kept == 0 ? Nesting{} : std::bit_cast<Nesting>(kept);
  }
  void set(Nesting nesting) const {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): keys keep pointers
    pthread_setspecific(key(), reinterpret_cast<const void*>(std::bit_cast<std::uintptr_t>(nesting)));
  }

 private:
  static pthread_key_t key() {
    static const pthread_key_t made = [] {
      pthread_key_t fresh{};
      pthread_key_create(&fresh, nullptr);
      return fresh;
    }();
    return made;
  }
};
constexpr OwnNesting own;

bool initial_task(ompt_scope_endpoint_t endpoint, unsigned team_size, unsigned index) {
  Nesting here = own.get();
  const bool in_league = here.lanes > 1;
  if (endpoint == ompt_scope_begin) {
    if (index == 1 && team_size == 1) return false;  // the program's own, or that of a thread of its own
    here.lanes = here.lanes << 1 | (index > 0 || (here.hidden & 1) == 0 ? 1 : 0);
    own.set(here);
    return (here.lanes & 1) != 0;
  }
  if (!in_league) return false;
  const bool lane = (here.lanes & 1) != 0;
  here.lanes >>= 1;
  own.set(here);
  return lane;
}

}  // namespace

bool is_region(unsigned requested, int flags, const void* codeptr) {
  const bool league = (static_cast<unsigned>(flags) & ompt_parallel_league) != 0;
  if (league) any_league = true;
  if (!any_league) return true;
  Nesting here = own.get();
  const bool launch = !league && codeptr == nullptr && here.lanes > 1;
  const bool hidden = launch || (league && requested == 1);
  here.hidden = here.hidden << 1 | (hidden ? 1 : 0);
  own.set(here);
  return !hidden;
}

/// Of constructs that began before the first league nothing was kept: they were in sight.
bool was_region() {
  if (!any_league) return true;
  Nesting here = own.get();
  const bool hidden = (here.hidden & 1) != 0;
  here.hidden >>= 1;
  own.set(here);
  return !hidden;
}

bool is_lane(ompt_scope_endpoint_t endpoint, unsigned team_size, unsigned index, int flags) {
  const bool initial = (static_cast<unsigned>(flags) & ompt_task_initial) != 0;
  if (!any_league) return !initial;
  if (initial) return initial_task(endpoint, team_size, index);
  return index > 0 || (own.get().hidden & 1) == 0;
}

}  // namespace lbhm::openmp
