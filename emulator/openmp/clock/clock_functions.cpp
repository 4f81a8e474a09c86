// The functions by which programs ask for the time.
#include <omp.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include "emulator/openmp/clock/caller.h"
#include "emulator/openmp/clock/virtual_clock.h"
#include "libomp-ext/real/real_function.h"
#include "runtime/engine/engine.h"

namespace {

using namespace lbhm::clock;
using lbhm::real::RealFunction;
using lbhm::real::RuntimeFunction;

int clock_of_system(clockid_t clock, timespec* result) {
  return static_cast<int>(syscall(SYS_clock_gettime, clock, result));
}
int day_of_system(timeval* result, void* zone) { return static_cast<int>(syscall(SYS_gettimeofday, result, zone)); }
std::time_t time_of_system(std::time_t* result) {
  timespec now{};
  clock_of_system(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}
std::clock_t processor_time_of_system() {
  timespec now{};
  clock_of_system(CLOCK_PROCESS_CPUTIME_ID, &now);
  return now.tv_sec * CLOCKS_PER_SEC + now.tv_nsec / (second / CLOCKS_PER_SEC);
}

constinit RealFunction<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime", clock_of_system);
constinit RealFunction<int(timeval*, void*)> real_gettimeofday("gettimeofday", day_of_system);
constinit RealFunction<std::time_t(std::time_t*)> real_time_function("time", time_of_system);
constinit RealFunction<std::clock_t()> real_clock("clock", processor_time_of_system);

[[gnu::constructor]] void find_clocks() {
  real_clock_gettime.find();
  real_gettimeofday.find();
  real_time_function.find();
  real_clock.find();
}
constinit RuntimeFunction real_wtime("omp_get_wtime");
constinit RuntimeFunction real_wtick("omp_get_wtick");

using Clock = double();

// Since the machine began, not since 1970: a double holds the same fractions of it in every run.
double wtime(const void* return_address) {
  // libomp does not start for these two: a program without a parallel region would leave no report.
  if (is_program(return_address)) lbhm::engine::note_openmp();
  const auto now = read(CLOCK_PROCESS_CPUTIME_ID, return_address);
  if (now) return static_cast<double>(*now) / static_cast<double>(second);
  return reinterpret_cast<Clock*>(real_wtime.need(return_address))();
}

double wtick(const void* return_address) {
  if (is_program(return_address)) lbhm::engine::note_openmp();
  if (applies_to(return_address)) return 1 / static_cast<double>(second);
  return reinterpret_cast<Clock*>(real_wtick.need(return_address))();
}

}  // namespace

LBHM_EXPORT int clock_gettime(clockid_t clock, timespec* result) noexcept {
  const auto now = read(clock, __builtin_return_address(0));
  if (!now) return real_clock_gettime(clock, result);
  *result = to_timespec(*now);
  return 0;
}

LBHM_EXPORT int gettimeofday(timeval* __restrict result, void* __restrict zone) noexcept {
  const auto now = read(CLOCK_REALTIME, __builtin_return_address(0));
  if (!now) return real_gettimeofday(result, zone);
  *result = {.tv_sec = *now / second, .tv_usec = *now % second / 1000};
  return 0;
}

LBHM_EXPORT std::time_t time(std::time_t* result) noexcept {
  const auto now = read(CLOCK_REALTIME, __builtin_return_address(0));
  if (!now) return real_time_function(result);
  if (result) *result = *now / second;
  return *now / second;
}

LBHM_EXPORT std::clock_t clock() noexcept {
  const auto now = read(CLOCK_PROCESS_CPUTIME_ID, __builtin_return_address(0));
  return now ? *now / (second / CLOCKS_PER_SEC) : real_clock();
}

LBHM_EXPORT double omp_get_wtime() { return wtime(__builtin_return_address(0)); }
LBHM_EXPORT double omp_get_wtick() { return wtick(__builtin_return_address(0)); }
// Fortran's names.
LBHM_EXPORT double omp_get_wtime_() { return wtime(__builtin_return_address(0)); }
LBHM_EXPORT double omp_get_wtick_() { return wtick(__builtin_return_address(0)); }
