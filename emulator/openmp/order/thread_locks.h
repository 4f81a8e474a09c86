// Locks of threads, for those who ask for them until a deadline.
#pragma once

#include <pthread.h>

namespace lbhm::openmp {

/// pthread_mutex_trylock for the code at `caller`.
int try_to_take_mutex(pthread_mutex_t* mutex, const void* caller);

}  // namespace lbhm::openmp
