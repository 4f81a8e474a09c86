// Waits for condition variables, for those who wait by other functions than pthread_cond_wait and its like.
#pragma once

#include <pthread.h>

#include <ctime>
#include <optional>

#include "libomp-ext/virtual/clock/virtual_clock.h"

namespace lbhm::openmp {

/// pthread_cond_timedwait with `left` of virtual time until its deadline. Nothing: the calling thread is no lane that
/// has the mutex in virtual time, and waits for the condition itself.
std::optional<int> wait_in_order(pthread_cond_t* condition, pthread_mutex_t* mutex, clock::Time left);

// pthread_cond_wait, _timedwait, and _signal or _broadcast for the code at `caller`.
int await_condition(pthread_cond_t* condition, pthread_mutex_t* mutex, const void* caller);
int await_condition_until(pthread_cond_t* condition, pthread_mutex_t* mutex, const timespec* deadline,
                          const void* caller);
int wake_condition(pthread_cond_t* condition, bool all, const void* caller);

}  // namespace lbhm::openmp
