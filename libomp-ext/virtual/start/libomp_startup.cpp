// What libomp finds when it starts: the environment, and what it left behind of processes that were killed.
//
// It copies all of the environment to the heap (kmp_environment.cpp, __kmp_env_blk_init), in front of the program's
// blocks: in virtual time, what a program takes would then depend on how long the name of some folder is.
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <new>
#include <span>
#include <string_view>
#include <vector>

#include "libomp-ext/virtual/start/libomp_startup.h"
#include "libomp-ext/virtual/start/process_fields.h"
#include "libomp-ext/virtual/virtual_openmp.h"

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

/// Seconds from boot to the process's beginning; 0 if nobody can say.
double beginning() {
  std::array<std::uint64_t, 23> field{};
  if (!read_process_fields(field)) return 0;
  return static_cast<double>(field[22]) / static_cast<double>(sysconf(_SC_CLK_TCK));  // starttime, in clock ticks
}

/// libomp's own, GNU's and Intel's names, and those of the libraries that it opens.
constexpr std::array<std::string_view, 7> beginnings{"OMP_", "KMP_", "GOMP_", "LIBOMP", "MKL_", "MEMKIND_", "HWLOC_"};

bool is_read(std::string_view variable) {
  return std::ranges::any_of(beginnings, [&](std::string_view name) { return variable.starts_with(name); });
}

std::size_t count(char* const* variables) {
  std::size_t number = 0;
  while (variables[number]) ++number;
  return number;
}

/// What libomp is told unless the user has set one of `by_user`. Not by setenv, which copies the whole environment to
/// the program's heap, and which programs that this one starts would inherit.
struct Told {
  const char* variable;
  std::span<const std::string_view> by_user;
};

// Without it small teams combine the lanes' parts of a reduction as they come, in real time.
constexpr std::array<std::string_view, 2> of_reductions{"KMP_DETERMINISTIC_REDUCTION=", "KMP_FORCE_REDUCTION="};
// Locks of other kinds than tas and futex, those of critical constructs too, are blocks that libomp takes from the
// program's heap, on the lane that comes first in real time, or on several that come at once. Lanes never meet at one
// (emulator/core/mutexes.h), so tas may spin; with futex, runs of many locks take twice as long.
constexpr std::array<std::string_view, 1> of_locks{"KMP_LOCK_KIND="};
// libomp keeps on the program's heap what it finds out about the processor, and how it does that depends on who made
// it. On which real core a lane runs does not matter.
constexpr std::array<std::string_view, 5> of_places{
    "KMP_AFFINITY=", "OMP_PROC_BIND=", "OMP_PLACES=", "GOMP_CPU_AFFINITY=", "KMP_HW_SUBSET="};
// Debian's libomp asks hwloc for the topology; plugins, which come with MPI, leave blocks on the heap, too.
constexpr std::array<std::string_view, 1> of_plugins{"HWLOC_PLUGINS_PATH="};
// Workers in a tree wait for each other at a region's end, and wake each other at the next one's beginning; many lanes
// on few processors get by with fewer turns where each does so with the first lane alone.
constexpr std::array<std::string_view, 1> of_joins{"KMP_FORKJOIN_BARRIER_PATTERN="};
constexpr std::array<Told, 5> all_told{{{"KMP_DETERMINISTIC_REDUCTION=true", of_reductions},
                                        {"KMP_LOCK_KIND=tas", of_locks},
                                        {"KMP_AFFINITY=disabled", of_places},
                                        {"HWLOC_PLUGINS_PATH=", of_plugins},
                                        {"KMP_FORKJOIN_BARRIER_PATTERN=linear,linear", of_joins}}};

bool set_by_user(std::span<const std::string_view> names, std::span<char* const> variables) {
  return std::ranges::any_of(variables, [&](std::string_view variable) {
    return std::ranges::any_of(names, [&](std::string_view name) { return variable.starts_with(name); });
  });
}

/// libomp would show places that it knows nothing of, and abort (affinity.cpp).
bool is_fatal(std::string_view variable) { return !knows_places() && variable.starts_with("OMP_DISPLAY_AFFINITY="); }

constinit bool told_of_no_places = false;
constinit char** whole = nullptr;
constinit std::vector<char*>* visible = nullptr;  // kept: a thread may be reading it

}  // namespace

bool knows_places() { return !told_of_no_places; }

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

void hide_environment() {
  if (whole || !environ) return;
  try {
    visible = new std::vector<char*>;
    visible->reserve(count(environ) + all_told.size() + 1);
  } catch (const std::bad_alloc&) { return; }  // it stays as it is
  told_of_no_places = !set_by_user(of_places, std::span(environ, count(environ)));
  for (char** variable = environ; *variable; ++variable) {
    if (is_read(*variable) && !is_fatal(*variable)) visible->push_back(*variable);
  }
  const std::size_t users = visible->size();
  for (const Told& told : all_told) {
    if (!set_by_user(told.by_user, std::span(*visible).first(users)))
      visible->push_back(const_cast<char*>(told.variable));  // nobody writes to it
  }
  visible->push_back(nullptr);
  whole = environ;
  environ = visible->data();
}

void show_environment() {
  // Who changed the environment meanwhile (setenv copies it) has another one: it is theirs.
  if (whole && environ == visible->data()) environ = whole;
  whole = nullptr;
}

}  // namespace lbhm::openmp
