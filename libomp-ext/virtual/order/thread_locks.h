// Locks of threads, for those who ask for them by other functions than pthread_mutex_lock and its like.
#pragma once

#include <pthread.h>

#include <ctime>

namespace lbhm::openmp {

// pthread_mutex_lock, _timedlock, _trylock and _unlock for the code at `caller`.
int take_mutex(pthread_mutex_t* mutex, const void* caller);
int take_mutex_until(pthread_mutex_t* mutex, const timespec* deadline, const void* caller);
int give_back_mutex(pthread_mutex_t* mutex, const void* caller);
int try_to_take_mutex(pthread_mutex_t* mutex, const void* caller);

}  // namespace lbhm::openmp
