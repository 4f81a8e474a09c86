// Threads that wait for each other in every way but OpenMP's. Each case says how long it took on the program's clock,
// beside the same work with OpenMP's own constructs, or with none. Prints "CASE WANTED TOOK", in nanoseconds.
#pragma once

#include <omp.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

inline constexpr int lanes = 4, rounds = 4;
inline double data[lanes][1 << 12];

inline void work(int me, int times = 1) {
  double sum = 0;
  for (int r = 0; r < times; ++r)
    for (int i = 0; i < 8000; ++i) sum += data[me][i * 997 & 4095] += 1;
  if (sum < 0) std::abort();
}

using Clock = std::chrono::steady_clock;
inline long since(Clock::time_point begin) { return (Clock::now() - begin) / std::chrono::nanoseconds(1); }

template <class Body>
long in_lanes(Body body) {
  const auto begin = Clock::now();
#pragma omp parallel num_threads(lanes)
  body(omp_get_thread_num());
  return since(begin);
}

template <class Body>
long in_main(Body body) {
  const auto begin = Clock::now();
  body();
  return since(begin);
}

inline void report(const char* name, long wanted, long took) {
  std::printf("%s %ld %ld\n", name, wanted, took);
  std::fflush(stdout);
}

/// Lane 0 works, the others wait for what it gives.
template <class Give, class Take>
void hand_out(const char* name, Give give, Take take) {
  const long wanted = in_main([] { work(0, 3 * rounds); });
  report(name, wanted, in_lanes([&](int me) {
           for (int r = 1; r <= rounds; ++r) {
             if (me == 0) work(0, 3);
             me == 0 ? give(r) : take(r);
           }
         }));
}

inline void give_bytes(int file) {
  char bytes[lanes - 1] = {};
  if (write(file, bytes, sizeof(bytes)) != sizeof(bytes)) std::abort();
}
inline void take_byte(int file) {
  char byte;
  if (read(file, &byte, 1) != 1) std::abort();
}

void meetings();
void library_meetings();
void hand_outs();
void conditions();
void files();
void exclusions();
void joins();
void deadlines();
void others();
void stuck();
void once();
void kernel();
