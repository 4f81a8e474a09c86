#include "libomp-ext/allocators/fork.h"

#include "libomp-ext/allocators/locks.h"

namespace lbhm::allocators {

void before_fork() {
  look_up_mutex.lock();
  table_mutex.lock();
  map_mutex.lock();
}

void after_fork() {
  map_mutex.unlock();
  table_mutex.unlock();
  look_up_mutex.unlock();
}

}  // namespace lbhm::allocators
