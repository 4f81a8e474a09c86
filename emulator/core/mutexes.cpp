#include "emulator/core/mutexes.h"

#include <algorithm>

namespace lbhm::emulator {

bool Mutexes::take(Core& core, const void* name, bool queue) {
  const std::lock_guard guard(lock_);
  Mutex& mutex = mutexes_[name];
  if (mutex.owner == core.number()) return true;
  if (!mutex.owner || !core.in_step()) {
    mutex.owner = core.number();
    mutex.depth = 0;
    return true;
  }
  if (queue) mutex.waiting.push_back(&core);
  return false;
}

void Mutexes::acquire(Core& core, const void* name) {
  core.ordered_begin();
  if (take(core, name, true)) {
    core.ordered_end();
  } else {
    core.sleep();
    stop_waiting(core, name);
  }
}

void Mutexes::stop_waiting(Core& core, const void* name) {
  const std::lock_guard guard(lock_);
  std::erase(mutexes_[name].waiting, &core);
}

bool Mutexes::try_acquire(Core& core, const void* name) {
  core.ordered_begin();
  const bool taken = take(core, name, false);
  core.ordered_end();
  return taken;
}

void Mutexes::acquired(Core& core, const void* name) {
  const std::lock_guard guard(lock_);
  Mutex& mutex = mutexes_[name];
  core.idle_until(mutex.released);
  if (mutex.owner == core.number()) ++mutex.depth;
}

bool Mutexes::has(const Core& core, const void* name) {
  const std::lock_guard guard(lock_);
  const auto found = mutexes_.find(name);
  return found != mutexes_.end() && found->second.owner == core.number() && found->second.depth > 0;
}

void Mutexes::release(Core& core, const void* name) {
  core.ordered_begin();
  Core* next = nullptr;
  {
    const std::lock_guard guard(lock_);
    Mutex& mutex = mutexes_[name];
    mutex.released = std::max(mutex.released, core.model().clock());
    const bool is_own = mutex.owner == core.number();
    if (is_own && mutex.depth > 0) --mutex.depth;
    if (is_own && mutex.depth == 0) {
      mutex.owner.reset();
      if (!mutex.waiting.empty()) {
        next = mutex.waiting.front();
        mutex.owner = next->number();
        mutex.waiting.erase(mutex.waiting.begin());
      }
    }
  }
  if (next != nullptr) core.wake(*next);
  core.ordered_end();
}

}  // namespace lbhm::emulator
