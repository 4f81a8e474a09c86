// Locks of threads in lanes of OpenMP: std::mutex and pthread_mutex_t, spin locks, locks of readers and writers. libomp
// knows nothing of them. In virtual time the lane with the smallest clock comes first, as at OpenMP's locks, and lanes
// that wait do not keep the others waiting; who is no lane, and who is on a machine with real time, passes straight
// through.
//
// A mutex is taken on the machine first (Execution's wait for a mutex), and then in fact, where nobody has it: only who
// has it on the machine tries. Somebody else may have it all the same, a thread that is no lane or a library of the
// system: then the mutex itself decides. For locks of readers and writers lanes ask in turn, until they are free.
#include "libomp-ext/virtual/order/thread_locks.h"

#include <pthread.h>

#include <cerrno>
#include <ctime>

#include "libomp-ext/virtual/clock/virtual_clock.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::Wait;
using lbhm::real::RealFunction;
namespace engine = lbhm::engine;

constinit RealFunction<int(pthread_mutex_t*)> real_mutex_lock("pthread_mutex_lock"),
    real_mutex_trylock("pthread_mutex_trylock"), real_mutex_unlock("pthread_mutex_unlock");
constinit RealFunction<int(pthread_spinlock_t*)> real_spin_lock("pthread_spin_lock"),
    real_spin_trylock("pthread_spin_trylock"), real_spin_unlock("pthread_spin_unlock");
constinit RealFunction<int(pthread_rwlock_t*)> real_rdlock("pthread_rwlock_rdlock"),
    real_wrlock("pthread_rwlock_wrlock"), real_tryrdlock("pthread_rwlock_tryrdlock"),
    real_trywrlock("pthread_rwlock_trywrlock"), real_rwunlock("pthread_rwlock_unlock");

[[gnu::constructor]] void find_locks() {
  lbhm::real::find_all(real_mutex_lock, real_mutex_trylock, real_mutex_unlock, real_spin_lock, real_spin_trylock,
                       real_spin_unlock, real_rdlock, real_wrlock, real_tryrdlock, real_trywrlock, real_rwunlock);
}

bool is_taken(int result) { return result == 0 || result == EOWNERDEAD; }

/// What the machine calls the lock. (A spin lock is volatile.)
const void* name_of(const volatile void* lock) { return const_cast<const void*>(lock); }

/// What the machine was told is taken back where the lock itself refuses.
int told(const void* name, int result) {
  engine::wait_end(Wait::mutex, name);
  if (!is_taken(result)) engine::mutex_released(name);
  return result;
}

template <class Lock>
int take(RealFunction<int(Lock*)>& real, Lock* lock, const void* caller) {
  if (!lbhm::clock::applies_to(caller)) return real(lock);
  engine::wait_begin(Wait::mutex, name_of(lock));
  return told(name_of(lock), real(lock));
}

template <class Lock>
int try_to_take(RealFunction<int(Lock*)>& real, Lock* lock, const void* caller) {
  if (!lbhm::clock::applies_to(caller)) return real(lock);
  if (engine::try_mutex(name_of(lock))) return told(name_of(lock), real(lock));
  lbhm::clock::elapse(lbhm::clock::system_call);  // as in omp_test_lock
  return EBUSY;
}

/// Whoever calls: the last call of a region's function is a jump, and returns to libomp.
template <class Lock>
int give_back(RealFunction<int(Lock*)>& real, Lock* lock, const void* caller) {
  const int result = real(lock);
  if (result != 0 || !engine::keeps_virtual_time()) return result;
  const bool program = lbhm::clock::is_program(caller);
  if (program || (lbhm::clock::may_be_program(caller) && engine::has_mutex(name_of(lock))))
    engine::mutex_released(name_of(lock));
  return result;
}

int in_order(RealFunction<int(pthread_rwlock_t*)>& real, pthread_rwlock_t* lock, const void* caller) {
  if (!lbhm::clock::applies_to(caller)) return real(lock);
  engine::ordered_begin();
  const int result = real(lock);
  engine::ordered_end();
  return result;
}

/// `attempt`: returns at once.
int ask_until_free(RealFunction<int(pthread_rwlock_t*)>& attempt, RealFunction<int(pthread_rwlock_t*)>& real,
                   pthread_rwlock_t* lock, const void* caller) {
  if (!lbhm::clock::applies_to(caller) || engine::lane_name() == nullptr) return real(lock);
  int result = 0;
  while ((result = in_order(attempt, lock, caller)) == EBUSY) lbhm::clock::elapse(lbhm::clock::system_call);
  return result;
}

}  // namespace

int lbhm::openmp::take_mutex(pthread_mutex_t* mutex, const void* caller) {
  return take(real_mutex_lock, mutex, caller);
}
int lbhm::openmp::give_back_mutex(pthread_mutex_t* mutex, const void* caller) {
  return give_back(real_mutex_unlock, mutex, caller);
}
int lbhm::openmp::try_to_take_mutex(pthread_mutex_t* mutex, const void* caller) {
  return try_to_take(real_mutex_trylock, mutex, caller);
}

LBHM_EXPORT int pthread_mutex_lock(pthread_mutex_t* lock) noexcept {
  return take(real_mutex_lock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_mutex_trylock(pthread_mutex_t* lock) noexcept {
  return try_to_take(real_mutex_trylock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_mutex_unlock(pthread_mutex_t* lock) noexcept {
  return give_back(real_mutex_unlock, lock, __builtin_return_address(0));
}

LBHM_EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) noexcept {
  return take(real_spin_lock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_spin_trylock(pthread_spinlock_t* lock) noexcept {
  return try_to_take(real_spin_trylock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) noexcept {
  return give_back(real_spin_unlock, lock, __builtin_return_address(0));
}

LBHM_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) noexcept {
  return ask_until_free(real_tryrdlock, real_rdlock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) noexcept {
  return ask_until_free(real_trywrlock, real_wrlock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t* lock) noexcept {
  return in_order(real_tryrdlock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t* lock) noexcept {
  return in_order(real_trywrlock, lock, __builtin_return_address(0));
}
LBHM_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) noexcept {
  return in_order(real_rwunlock, lock, __builtin_return_address(0));
}
