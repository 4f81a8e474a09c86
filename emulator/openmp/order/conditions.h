// Waits of lanes for condition variables.
#pragma once

#include <pthread.h>

#include <optional>

#include "emulator/openmp/clock/virtual_clock.h"

namespace lbhm::openmp {

/// pthread_cond_timedwait with `left` of virtual time until its deadline. Nothing: the calling thread is no lane that
/// has the mutex in virtual time, and waits for the condition itself.
std::optional<int> wait_in_order(pthread_cond_t* condition, pthread_mutex_t* mutex, clock::Time left);

}  // namespace lbhm::openmp
