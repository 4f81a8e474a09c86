// Shapes in which threads wait for each other: critical, locks, ordered, doacross, sections, atomics.
#include "shapes.h"

#include <omp.h>

namespace {

std::uint64_t critical(const Index& index) {
  std::uint64_t sum = 0;
#pragma omp parallel
  {
    for (int round = 0; round < 20; ++round) {
      const std::uint64_t mine = walk(index, static_cast<std::size_t>(round) * 67, n / 64);
#pragma omp critical
      sum += mine;
    }
  }
  return sum;
}

/// Threads draw numbers under a lock; how much each has to do depends on what it drew.
std::uint64_t locks(const Index& index) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_nest_lock_t nest;
  omp_init_nest_lock(&nest);
  std::size_t drawn = 0;
  std::uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (;;) {
    omp_set_lock(&lock);
    const std::size_t mine = drawn++;
    omp_unset_lock(&lock);
    if (mine >= 200) break;
    sum += walk(index, mine * 997, 500 * (1 + mine % 7));
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    sum += mine;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return sum;
}

/// Whoever finds the lock taken does something else first.
std::uint64_t test_locks(const Index& index) {
  omp_lock_t lock;
  omp_init_lock(&lock);
  std::size_t drawn = 0;
  std::uint64_t sum = 0;
#pragma omp parallel reduction(+ : sum)
  for (bool more = true; more;) {
    if (omp_test_lock(&lock) == 0) {
      if (walk(index, 5, 40) == 1) sum += 1;  // never
      continue;
    }
    const std::size_t mine = drawn++;
    omp_unset_lock(&lock);
    more = mine < 100;
    if (more) sum += walk(index, mine * 31, 2000);
  }
  omp_destroy_lock(&lock);
  return sum;
}

/// Whoever finds the lock taken does nothing but try again.
std::uint64_t spun_locks(const Index& index) {
  omp_lock_t lock;
  omp_nest_lock_t nest;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  std::uint64_t sum = 0;
  std::uint64_t nested = 0;
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < 24; ++i) {
    while (omp_test_lock(&lock) == 0) {}
    sum += walk(index, i * 31, 2000);
    omp_unset_lock(&lock);
    while (omp_test_nest_lock(&nest) == 0) {}
    if (omp_test_nest_lock(&nest) == 2) nested += walk(index, i * 37, 500);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
  }
  omp_destroy_nest_lock(&nest);
  omp_destroy_lock(&lock);
  return sum * 3 + nested;
}

std::uint64_t ordered(const Index& index) {
  std::uint64_t sum = 0;
#pragma omp parallel for ordered schedule(dynamic, 2)
  for (std::size_t i = 0; i < 200; ++i) {
    const std::uint64_t part = walk(index, i * 4099, 400 * (1 + i % 5));
#pragma omp ordered
    sum = sum * 31 + part;
  }
  return sum;
}

std::uint64_t doacross(const Index& index) {
  std::vector<std::uint64_t> value(401, 1);
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (std::size_t i = 1; i <= 400; ++i) {
    const std::uint64_t part = walk(index, i * 1009, 300 * (1 + i % 3));
#pragma omp ordered depend(sink : i - 1)
    value[i] = value[i - 1] * 31 + part;
#pragma omp ordered depend(source)
  }
  return value[400];
}

std::uint64_t sections(const Index& index) {
  std::uint64_t a = 0;
  std::uint64_t b = 0;
  std::uint64_t c = 0;
#pragma omp parallel sections
  {
#pragma omp section
    a = walk(index, 1, 50'000);
#pragma omp section
    b = walk(index, 7, 90'000);
#pragma omp section
    c = walk(index, 9, 20'000);
  }
  return a * 3 + b * 5 + c * 7;
}

/// Threads draw their work from a counter.
std::uint64_t atomics(const Index& index) {
  std::size_t counter = 0;
  std::uint64_t sum = 0;
#pragma omp parallel
  for (;;) {
    std::size_t mine = 0;
#pragma omp atomic capture
    mine = counter++;
    if (mine >= 150) break;
    const std::uint64_t part = walk(index, mine * 911, 700 * (1 + mine % 6));
#pragma omp atomic
    sum += part;
  }
  return sum;
}

std::uint64_t cancel(const Index& index) {
  std::uint64_t found = n;
#pragma omp parallel for schedule(dynamic, 64)
  for (std::size_t i = 0; i < n; ++i) {
    if (index[i] == 77'777) {
#pragma omp atomic write
      found = i;
#pragma omp cancel for
    }
#pragma omp cancellation point for
  }
  return found;
}

constexpr Shape shapes[] = {{"critical", critical},     {"locks", locks},     {"test-locks", test_locks},
                            {"spun-locks", spun_locks}, {"ordered", ordered}, {"doacross", doacross},
                            {"sections", sections},     {"atomics", atomics}, {"cancel", cancel}};

}  // namespace

std::span<const Shape> waiting_shapes() { return shapes; }
