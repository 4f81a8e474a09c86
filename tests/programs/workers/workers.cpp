// workers: primes, sorting and histograms by std::thread, std::async and OpenMP together.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <latch>
#include <memory>
#include <numeric>
#include <shared_mutex>
#include <stdexcept>
#include <thread>
#include <unordered_map>
#include <vector>

#include "queue.h"

namespace {

std::atomic<int> failures = 0;

void check(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "workers: wrong: %s\n", what);
  ++failures;
}

struct Range {
  unsigned first;
  unsigned last;
};

bool is_prime(unsigned n) {
  if (n < 2) return false;
  for (unsigned d = 2; d * d <= n; ++d)
    if (n % d == 0) return false;
  return true;
}

std::size_t primes_in(Range range) {
  std::size_t count = 0;
  for (unsigned n = range.first; n < range.last; ++n) count += is_prime(n);
  return count;
}

/// One thread hands out ranges, three count, the first one adds up.
void pipeline() {
  constexpr unsigned last = 60'000, step = 500;
  Queue<Range> ranges(4);
  Queue<std::size_t> counts(4);
  std::vector<std::thread> counters;
  std::latch done(3);
  for (int i = 0; i < 3; ++i)
    counters.emplace_back([&] {
      while (const auto range = ranges.take()) counts.put(primes_in(*range));
      done.count_down();
    });
  std::thread producer([&] {
    for (unsigned first = 0; first < last; first += step) ranges.put({first, first + step});
    ranges.close();
  });
  std::thread closer([&] {
    done.wait();
    counts.close();
  });
  std::size_t total = 0;
  while (const auto count = counts.take()) total += *count;
  for (std::thread& thread : counters) thread.join();
  producer.join();
  closer.join();
  std::size_t expected = 0;
#pragma omp parallel for reduction(+ : expected) schedule(dynamic, 256)
  for (unsigned n = 0; n < last; ++n) expected += is_prime(n);
  check(total == expected, "primes");
  std::printf("primes %zu\n", total);
}

std::vector<std::uint32_t> made_up(std::size_t count, std::uint32_t seed) {
  std::vector<std::uint32_t> values(count);
  for (std::uint32_t& value : values) value = seed = seed * 1664525u + 1013904223u;
  return values;
}

/// Halves in other threads, down to small parts.
void sort_by_async(std::vector<std::uint32_t>& values, std::size_t first, std::size_t last, int depth) {
  const auto at = [&](std::size_t i) { return values.begin() + static_cast<std::ptrdiff_t>(i); };
  if (depth == 0) return std::sort(at(first), at(last));
  const std::size_t middle = (first + last) / 2;
  auto left = std::async(std::launch::async, [&, depth] { sort_by_async(values, first, middle, depth - 1); });
  sort_by_async(values, middle, last, depth - 1);
  left.get();
  std::inplace_merge(at(first), at(middle), at(last));
}

void futures() {
  auto values = made_up(100'000, 7);
  const auto sum = std::accumulate(values.begin(), values.end(), std::uint64_t{0});
  sort_by_async(values, 0, values.size(), 3);
  check(std::ranges::is_sorted(values), "sorting");
  check(std::accumulate(values.begin(), values.end(), std::uint64_t{0}) == sum, "values after sorting");
  auto throwing = std::async(std::launch::async, []() -> int { throw std::runtime_error("from another thread"); });
  try {
    throwing.get();
    check(false, "exception of a future");
  } catch (const std::runtime_error& error) { std::puts(error.what()); }
  std::packaged_task<int(int)> task([](int n) { return n * n; });
  auto result = task.get_future();
  check(result.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout, "a future that is not ready");
  std::thread(std::move(task), 12).join();
  check(result.get() == 144, "packaged task");
}

/// Threads of the program that each start an OpenMP team.
void teams_in_threads() {
  std::vector<double> sums(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < sums.size(); ++t)
    threads.emplace_back([&sums, t] {
      std::vector<double> values(50'000 * (t + 1));
      double sum = 0;
#pragma omp parallel num_threads(2)
      {
#pragma omp for
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 1000);
#pragma omp for reduction(+ : sum)
        for (std::size_t i = 0; i < values.size(); ++i) sum += values[i];
      }
      sums[t] = sum;
    });
  for (std::thread& thread : threads) thread.join();
  for (std::size_t t = 0; t < sums.size(); ++t)
    check(sums[t] == 50.0 * static_cast<double>(t + 1) * 499'500, "teams in threads");
  std::printf("teams %.0f %.0f %.0f\n", sums[0], sums[1], sums[2]);
}

/// Readers and writers of one table; every writer adds to every key.
void shared_table() {
  constexpr unsigned keys = 512, writers = 2, readers = 2;
  std::unordered_map<unsigned, unsigned> table;
  std::shared_mutex mutex;
  std::atomic<bool> stop = false;
  std::atomic<std::uint64_t> reads = 0;
  std::vector<std::thread> threads;
  for (unsigned w = 0; w < writers; ++w)
    threads.emplace_back([&] {
      for (unsigned k = 0; k < keys; ++k) {
        const std::unique_lock lock(mutex);
        table[k] += k;
      }
    });
  std::vector<std::jthread> watchers;
  for (unsigned r = 0; r < readers; ++r)
    watchers.emplace_back([&] {
      do {
        {
          const std::shared_lock lock(mutex);
          reads += table.size() <= keys;
        }
        // Without the lock: glibc's lets readers pass writers that wait, for ever if there always is one.
        std::this_thread::sleep_for(std::chrono::microseconds(50));
      } while (!stop);
    });
  for (std::thread& thread : threads) thread.join();
  stop = true;
  watchers.clear();
  std::uint64_t sum = 0;
  for (const auto& [key, value] : table) sum += value == key * writers;
  check(sum == keys, "table");
  check(reads > 0, "readers");
}

/// Waits that end by time: in a condition variable, and by looking at a clock.
void time_outs() {
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const auto begin = Clock::now();
  check(!never.wait_for(lock, std::chrono::milliseconds(5), [] { return false; }), "time-out of a condition");
  check(Clock::now() - begin >= std::chrono::milliseconds(5), "length of the time-out");
  const auto end = Clock::now() + std::chrono::microseconds(200);
  long looks = 0;
  while (Clock::now() < end) ++looks;
  check(looks > 0, "looks at the clock");
  std::this_thread::sleep_until(Clock::now() + std::chrono::milliseconds(2));
  check(Clock::now() - end >= std::chrono::milliseconds(2), "sleeping");
}

/// Reference counts and a lazily made value that several threads fight over.
void shared_ownership() {
  static std::once_flag once;
  static std::shared_ptr<const std::vector<std::uint32_t>> table;
  std::vector<std::jthread> threads;
  std::atomic<std::uint64_t> sum = 0;
  for (unsigned t = 0; t < 4; ++t)
    threads.emplace_back([&sum, t] {
      std::call_once(once, [] { table = std::make_shared<const std::vector<std::uint32_t>>(made_up(4096, 3)); });
      thread_local std::vector<std::uint64_t> mine;
      for (std::size_t i = t; i < table->size(); i += 4) {
        const std::shared_ptr<const std::vector<std::uint32_t>> holder = table;
        mine.push_back((*holder)[i]);
      }
      sum += std::accumulate(mine.begin(), mine.end(), std::uint64_t{0});
    });
  threads.clear();
  check(sum == std::accumulate(table->begin(), table->end(), std::uint64_t{0}), "shared ownership");
  check(table.use_count() == 1, "reference count");
  std::printf("shared %llu\n", static_cast<unsigned long long>(sum));
}

}  // namespace

int main() {
  pipeline();
  futures();
  teams_in_threads();
  shared_table();
  time_outs();
  shared_ownership();
  std::puts(failures == 0 ? "verified" : "FAILED");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
