// Shapes in which lanes wait for each other by what threads have, of which the OpenMP runtime knows nothing: mutexes,
// spin locks, locks of readers and writers, condition variables.
#include <pthread.h>

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <shared_mutex>

#include "shapes.h"

namespace {

/// Threads draw numbers under a mutex; how much each has to do depends on what it drew.
std::uint64_t mutexes(const Index& index) {
  std::mutex mutex;
  std::recursive_mutex nest;
  std::size_t drawn = 0;
  std::uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (;;) {
    std::size_t mine = 0;
    {
      const std::lock_guard lock(mutex);
      mine = drawn++;
      if (mine < 200) sum += walk(index, mine, 300);
    }
    if (mine >= 200) break;
    sum += walk(index, mine * 997, 500 * (1 + mine % 7));
    const std::lock_guard outer(nest);
    {
      const std::lock_guard inner(nest);
      sum += mine;
    }
    sum += walk(index, mine * 13, 100);  // others still wait
  }
  return sum;
}

/// Whoever finds the mutex taken does something else first, or nothing.
std::uint64_t tried_mutexes(const Index& index) {
  std::mutex mutex;
  std::size_t drawn = 0;
  std::uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (bool more = true, works = false; more;) {
    while (!mutex.try_lock()) {
      if (works && walk(index, 5, 40) == 1) sum += 1;  // never
      works = !works;
    }
    const std::size_t mine = drawn++;
    mutex.unlock();
    more = mine < 100;
    if (more) sum += walk(index, mine * 31, 2000);
  }
  return sum;
}

std::uint64_t spin_locks(const Index& index) {
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(dynamic)
  for (std::size_t i = 0; i < 60; ++i) {
    pthread_spin_lock(&lock);
    sum += walk(index, i * 31, 2000);
    pthread_spin_unlock(&lock);
  }
  pthread_spin_destroy(&lock);
  return sum;
}

/// Many look something up, few add to it.
std::uint64_t shared_mutexes(const Index& index) {
  std::shared_mutex mutex;
  std::uint64_t table = 0;
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (std::size_t i = 0; i < 300; ++i) {
    if (i % 10 == 3) {
      const std::lock_guard lock(mutex);
      table += walk(index, i * 7, 900);
    } else {
      const std::shared_lock lock(mutex);
      sum += walk(index, i * 11, 500 + (table == 1 ? 1 : 0));
    }
  }
  return sum + table;
}

/// The first half of the lanes makes what the others take, through a queue with few places.
template <class Wait>
std::uint64_t hand_over(const Index& index, Wait wait) {
  constexpr std::size_t items = 200, places = 4;
  std::mutex mutex;
  std::condition_variable filled, emptied;
  std::deque<std::size_t> queue;
  std::size_t made = 0, taken = 0;
  std::uint64_t sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (int role = 0; role < 2; ++role) {
    for (;;) {
      std::unique_lock lock(mutex);
      if (role == 0) {
        if (made == items) break;
        wait(emptied, lock, [&] { return queue.size() < places; });
        queue.push_back(made++);
        filled.notify_one();
      } else {
        if (taken == items) break;
        wait(filled, lock, [&] { return !queue.empty(); });
        const std::size_t mine = queue.front();
        queue.pop_front();
        ++taken;
        emptied.notify_all();
        lock.unlock();
        sum += walk(index, mine * 997, 300 * (1 + mine % 9));
      }
    }
  }
  return sum;
}

std::uint64_t conditions(const Index& index) {
  return hand_over(index, [](auto& condition, auto& lock, auto holds) { condition.wait(lock, holds); });
}

/// Deadlines that pass, and others.
std::uint64_t timed_conditions(const Index& index) {
  return hand_over(index, [](auto& condition, auto& lock, auto holds) {
    while (!condition.wait_for(lock, std::chrono::microseconds(20), holds)) {}
  });
}

constexpr Shape shapes[] = {{"mutexes", mutexes},       {"tried-mutexes", tried_mutexes},
                            {"spin-locks", spin_locks}, {"shared-mutexes", shared_mutexes},
                            {"conditions", conditions}, {"timed-conditions", timed_conditions}};

}  // namespace

std::span<const Shape> thread_shapes() { return shapes; }
