#include "emulator/mutexes.h"

#include <algorithm>

namespace lbhm::emulator {

bool Mutexes::take(Core& core, const void* name, bool queue) {
  const std::lock_guard guard(lock_);
  Mutex& mutex = mutexes_[name];
  if (mutex.owner == nullptr || !core.in_step()) mutex.owner = &core;
  if (mutex.owner == &core) return true;
  if (queue) mutex.waiting.push_back(&core);
  return false;
}

void Mutexes::acquire(Core& core, const void* name) {
  core.ordered_begin();
  if (take(core, name, true)) {
    core.ordered_end();
  } else {
    core.sleep();
  }
}

bool Mutexes::try_acquire(Core& core, const void* name) {
  core.ordered_begin();
  const bool taken = take(core, name, false);
  core.ordered_end();
  return taken;
}

void Mutexes::acquired(Core& core, const void* name) {
  const std::lock_guard guard(lock_);
  core.idle_until(mutexes_[name].released);
}

void Mutexes::release(Core& core, const void* name) {
  core.ordered_begin();
  Core* next = nullptr;
  {
    const std::lock_guard guard(lock_);
    Mutex& mutex = mutexes_[name];
    mutex.released = std::max(mutex.released, core.model().clock());
    if (mutex.owner == &core) {
      mutex.owner = nullptr;
      if (!mutex.waiting.empty()) {
        next = mutex.owner = mutex.waiting.front();
        mutex.waiting.pop_front();
      }
    }
  }
  if (next != nullptr) core.wake(*next);
  core.ordered_end();
}

}  // namespace lbhm::emulator
