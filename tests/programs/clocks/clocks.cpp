// Measures itself by every clock that it can find: prints what a fixed piece of work took on each.
#include <omp.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstring>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace {

using Nanoseconds = long long;

Nanoseconds read_clock(clockid_t clock) {
  timespec t{};
  if (clock_gettime(clock, &t) != 0) std::perror("clock_gettime");
  return t.tv_sec * 1'000'000'000ll + t.tv_nsec;
}

Nanoseconds time_of_day() {
  timeval t{};
  gettimeofday(&t, nullptr);
  return t.tv_sec * 1'000'000'000ll + t.tv_usec * 1000ll;
}

Nanoseconds of_c11() {
  timespec t{};
  if (timespec_get(&t, TIME_UTC) != TIME_UTC) std::perror("timespec_get");
  return t.tv_sec * 1'000'000'000ll + t.tv_nsec;
}

Nanoseconds usage(decltype(RUSAGE_SELF) whose) {
  rusage t{};
  if (getrusage(whose, &t) != 0) std::perror("getrusage");
  return (t.ru_utime.tv_sec + t.ru_stime.tv_sec) * 1'000'000'000ll + (t.ru_utime.tv_usec + t.ru_stime.tv_usec) * 1000ll;
}

template <class Clock>
Nanoseconds chrono() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(Clock::now().time_since_epoch()).count();
}

struct NamedClock {
  const char* name;
  Nanoseconds (*read)();
};

const NamedClock clocks[] = {
    {"omp_get_wtime", [] { return static_cast<Nanoseconds>(omp_get_wtime() * 1e9); }},
    {"monotonic", [] { return read_clock(CLOCK_MONOTONIC); }},
    {"monotonic_raw", [] { return read_clock(CLOCK_MONOTONIC_RAW); }},
    {"monotonic_coarse", [] { return read_clock(CLOCK_MONOTONIC_COARSE); }},
    {"realtime", [] { return read_clock(CLOCK_REALTIME); }},
    {"process_cputime", [] { return read_clock(CLOCK_PROCESS_CPUTIME_ID); }},
    {"thread_cputime", [] { return read_clock(CLOCK_THREAD_CPUTIME_ID); }},
    {"gettimeofday", time_of_day},
    {"timespec_get", of_c11},
    {"getrusage", [] { return usage(RUSAGE_SELF); }},
    {"getrusage_thread", [] { return usage(RUSAGE_THREAD); }},
    {"clock", [] { return static_cast<Nanoseconds>(clock()) * (1'000'000'000 / CLOCKS_PER_SEC); }},
    {"steady_clock", chrono<std::chrono::steady_clock>},
    {"system_clock", chrono<std::chrono::system_clock>},
};

std::vector<double> data(1 << 19, 1.0);

void work() {
#pragma omp parallel for
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = data[i] * 1.5 + 1;
}

int durations() {
  work();
  for (const NamedClock& clock : clocks) {
    const Nanoseconds begin = clock.read();
    work();
    std::printf("%s %lld\n", clock.name, clock.read() - begin);
  }
  return 0;
}

/// Of the times of two pieces of work in a row, as programs print a speed-up.
int ratio() {
  work();
  const double begin = omp_get_wtime();
  work();
  const double between = omp_get_wtime();
  work();
  work();
  std::printf("%.2f\n", (omp_get_wtime() - between) / (between - begin));
  return 0;
}

int wait_for_a_time() {
  work();
  long turns = 0;
  const double begin = omp_get_wtime();
  while (omp_get_wtime() - begin < 1e-3) ++turns;
  std::printf("waited %.6f turns %s\n", omp_get_wtime() - begin, turns > 0 ? "some" : "none");
  return 0;
}

template <class Sleep>
void print_sleep(const char* name, Sleep sleep) {
  const auto begin = std::chrono::steady_clock::now();
  sleep();
  const auto end = std::chrono::steady_clock::now();
  std::printf("%s %lld\n", name,
              static_cast<Nanoseconds>(std::chrono::duration_cast<std::chrono::microseconds>(end - begin).count()));
}

int sleeping() {
  using namespace std::chrono_literals;
  print_sleep("sleep_for", [] { std::this_thread::sleep_for(250ms); });
  print_sleep("sleep_until", [] { std::this_thread::sleep_until(std::chrono::steady_clock::now() + 250ms); });
  print_sleep("usleep", [] { usleep(250'000); });
  print_sleep("sleep", [] { sleep(1); });
  print_sleep("nanosleep", [] {
    const timespec t{.tv_sec = 0, .tv_nsec = 250'000'000};
    nanosleep(&t, nullptr);
  });
  print_sleep("clock_nanosleep", [] {
    timespec t{};
    clock_gettime(CLOCK_MONOTONIC, &t);
    t.tv_sec += 1;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, nullptr);
  });
  return 0;
}

/// After an hour of sleep the virtual clock is far ahead of the real one: deadlines must not be an hour away.
int deadlines() {
  using namespace std::chrono_literals;
  std::this_thread::sleep_for(1h);
  std::mutex mutex;
  std::condition_variable condition;
  std::unique_lock lock(mutex);
  print_sleep("condition", [&] { condition.wait_for(lock, 20ms, [] { return false; }); });
  print_sleep("condition_until", [&] {
    const auto deadline = std::chrono::system_clock::now() + 20ms;
    while (condition.wait_until(lock, deadline) != std::cv_status::timeout) {}
  });
  std::promise<int> promise;
  auto future = promise.get_future();
  print_sleep("future", [&] { future.wait_for(20ms); });
  std::timed_mutex timed;
  timed.lock();
  print_sleep("timed_mutex", [&] {
    std::thread([&] {
      if (timed.try_lock_for(20ms)) std::puts("the mutex was not locked");
    }).join();
  });
  return 0;
}

/// In its coarse unit, against another clock.
int ticks() {
  tms begin{}, end{};
  const std::clock_t first = times(&begin);
  const Nanoseconds before = read_clock(CLOCK_MONOTONIC);
  work();
  usleep(250'000);
  const std::clock_t last = times(&end);
  const double per_second = static_cast<double>(sysconf(_SC_CLK_TCK));
  std::printf("wall %.0f\nuser %.0f\nmonotonic %lld\n", static_cast<double>(last - first) / per_second * 1e9,
              static_cast<double>(end.tms_utime - begin.tms_utime) / per_second * 1e9,
              read_clock(CLOCK_MONOTONIC) - before);
  return 0;
}

int around_now() {
  std::printf("%lld\n", static_cast<long long>(time(nullptr)));
  work();  // a program that uses no OpenMP has no report
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "durations";
  if (std::strcmp(what, "durations") == 0) return durations();
  if (std::strcmp(what, "ratio") == 0) return ratio();
  if (std::strcmp(what, "wait") == 0) return wait_for_a_time();
  if (std::strcmp(what, "sleep") == 0) return sleeping();
  if (std::strcmp(what, "deadlines") == 0) return deadlines();
  if (std::strcmp(what, "ticks") == 0) return ticks();
  if (std::strcmp(what, "now") == 0) return around_now();
  return 2;
}
