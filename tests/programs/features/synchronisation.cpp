#include <omp.h>

#include <iterator>
#include <vector>

#include "features.h"

namespace {

bool critical_and_atomic() {
  long a = 0, b = 0, largest = 0;
  std::vector<long> tickets(2000);
#pragma omp parallel for
  for (int i = 0; i < 2000; ++i) {
    long ticket = 0;
#pragma omp critical(first)
    a += i;
#pragma omp atomic capture
    ticket = b++;
    tickets[static_cast<std::size_t>(ticket)] = i + 1;
#pragma omp critical(second)
    if (i > largest) largest = i;
  }
  long sum = 0;
  for (const long ticket : tickets) sum += ticket;
  long now = 0;
#pragma omp atomic read
  now = b;
  return a == 1'999'000 && sum == 2'001'000 && now == 2000 && largest == 1999;
}

bool locks() {
  omp_lock_t lock;
  omp_nest_lock_t nested;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nested);
  long a = 0, b = 0;
#pragma omp parallel for
  for (int i = 0; i < 500; ++i) {
    omp_set_lock(&lock);
    a += i;
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nested);
    omp_set_nest_lock(&nested);
    b += 1;
    omp_unset_nest_lock(&nested);
    omp_unset_nest_lock(&nested);
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nested);
  return a == 124'750 && b == 500;
}

bool ordered() {
  std::vector<int> order;
#pragma omp parallel for ordered schedule(dynamic, 3)
  for (int i = 0; i < 200; ++i) {
    const int value = i * i;
#pragma omp ordered
    order.push_back(value);
  }
  for (int i = 0; i < 200; ++i)
    if (order[static_cast<std::size_t>(i)] != i * i) return false;
  return order.size() == 200;
}

/// A wave through a grid: each cell waits for the one above and the one to the left.
bool doacross() {
  constexpr int size = 24;
  std::vector<long> cell(size * size, 1);
  long* const c = cell.data();
#pragma omp parallel for collapse(2) ordered(2) schedule(static, 1)
  for (int y = 1; y < size; ++y)
    for (int x = 1; x < size; ++x) {
#pragma omp ordered depend(sink : y - 1, x) depend(sink : y, x - 1)
      c[y * size + x] = (c[(y - 1) * size + x] + c[y * size + x - 1]) % 1'000'003;
#pragma omp ordered depend(source)
    }
  std::vector<long> expected(size * size, 1);
  for (int y = 1; y < size; ++y)
    for (int x = 1; x < size; ++x)
      expected[static_cast<std::size_t>(y * size + x)] = (expected[static_cast<std::size_t>((y - 1) * size + x)] +
                                                          expected[static_cast<std::size_t>(y * size + x - 1)]) %
                                                         1'000'003;
  return cell == expected;
}

bool sections_and_master() {
  int a = 0, b = 0, c = 0, masters = 0, singles = 0;
#pragma omp parallel
  {
#pragma omp sections
    {
#pragma omp section
      a = 1;
#pragma omp section
      b = 2;
#pragma omp section
      c = 3;
    }
#pragma omp masked filter(0)
    ++masters;
#pragma omp barrier
#pragma omp single nowait
    ++singles;
  }
  return a == 1 && b == 2 && c == 3 && masters == 1 && singles == 1;
}

/// Without OMP_CANCELLATION the loop goes on to its end, and finds the same.
bool cancellation() {
  std::vector<int> values(20'000);
  values[17'000] = 1;
  int found = -1;
#pragma omp parallel
  {
#pragma omp for
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i] == 1) {
#pragma omp atomic write
        found = static_cast<int>(i);
#pragma omp cancel for
      }
#pragma omp cancellation point for
    }
  }
  return found == 17'000;
}

constexpr Feature features[] = {{"critical and atomic", critical_and_atomic},
                                {"locks", locks},
                                {"ordered", ordered},
                                {"doacross", doacross},
                                {"sections and masked", sections_and_master},
                                {"cancellation", cancellation}};

}  // namespace

FeatureList synchronisation_features() { return {features, std::size(features)}; }
