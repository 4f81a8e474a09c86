#include "emulator/openmp/start/old_registration.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace lbhm::openmp {
namespace {

// libomp 19, kmp_runtime.cpp, __kmp_register_library_startup: shm_open of this name with the process's number and user.
constexpr const char* registration = "/dev/shm/__KMP_REGISTERED_LIB_%d_%d";

double seconds(const timespec& t) { return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) / 1e9; }

double read_clock(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return seconds(now);
}

/// Seconds from boot to the process's beginning; 0 if nobody can say. Field 22 of /proc/self/stat, in clock ticks
/// (proc(5)); read without the heap.
double beginning() {
  std::array<char, 1024> text{};
  const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t bytes = read(file, text.data(), text.size() - 1);
  close(file);
  if (bytes <= 0) return 0;
  const char* field = std::strrchr(text.data(), ')');  // ends the second field, which may contain blanks
  for (int number = 2; field != nullptr && number < 22; ++number) field = std::strchr(field + 1, ' ');
  return field == nullptr ? 0 : std::strtod(field, nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

void remove_old_registration() {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), registration, getpid(), static_cast<int>(getuid()));
  struct stat found{};
  if (stat(path.data(), &found) != 0) return;
  constexpr double margin = 1;  // seconds; that soon no process number comes again
  const double age_of_process = read_clock(CLOCK_BOOTTIME) - beginning();
  const double age_of_file = read_clock(CLOCK_REALTIME) - seconds(found.st_mtim);
  if (age_of_file > age_of_process + margin) unlink(path.data());
}

}  // namespace lbhm::openmp
