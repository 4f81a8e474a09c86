#include "libomp-ext/virtual/clock/virtual_clock.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <cstdint>
#include <span>
#include <string_view>

#include "libomp-ext/virtual/clock/bent_clock.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/loaded_object.h"
#include "runtime/interpose/real_function.h"

namespace lbhm::clock {
namespace {

constinit real::RealFunction<int(clockid_t, timespec*)> real_clock_gettime("clock_gettime");

[[gnu::constructor]] void find_clock() {
  real::find_all(real_clock_gettime);
  if (real::next_definition("__kmpc_fork_call")) engine::clocks_begin();
  engine::when_instrumented(engine::clocks_begin);
}

thread_local bool inside = false;

Time whole_seconds(Time t) { return t / second * second; }

/// Where the clocks of the wall stood when the program first asked for the time.
struct Origins {
  Time real, monotonic;
};

Origins find_origins() {
  if (const auto begin = engine::clock_begin()) {
    const Time date = static_cast<Time>(*begin) * second;
    return {.real = date, .monotonic = date};
  }
  return {.real = whole_seconds(real_time(CLOCK_REALTIME)), .monotonic = whole_seconds(real_time(CLOCK_MONOTONIC))};
}

const Origins& origins() {
  static const Origins made = find_origins();
  return made;
}

using real::object_of;

/// Libraries of the system are not built with the plugin: their work takes no virtual time, so they have no use for it
/// (allocators that age their caches, libraries that tune themselves).
constexpr std::array<std::string_view, 3> system_folders{"/lib", "/usr/lib", "/usr/local/lib"};
/// The same, wherever they lie.
constexpr std::array<std::string_view, 6> system_files{"libomp",    "libiomp5", "libarcher",
                                                       "libpython", "python",   "libstdc++"};
/// These ask for the program. (libstdc++ does so in clock_functions.cpp.)
constexpr std::array<std::string_view, 3> language_files{"libc++", "libgfortran", "libFortran"};

bool starts_with_one_of(std::string_view text, std::span<const std::string_view> beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return text.starts_with(beginning); });
}

bool belongs_to_system(const link_map& object) {
  const std::string_view path = object.l_name;
  const std::string_view file = path.substr(path.rfind('/') + 1);
  if (starts_with_one_of(file, language_files)) return false;
  return starts_with_one_of(path, system_folders) || starts_with_one_of(file, system_files);
}

/// The first object has no name in the loader's list.
bool is_python_itself(const link_map& object) {
  static const bool python = [] {
    const std::string_view name = program_invocation_short_name;
    return name.starts_with("python");
  }();
  return object.l_name[0] == '\0' && python;
}

bool find_out(const void* address) {
  const link_map* object = object_of(address);
  if (!object) return true;  // code made at run time is the program's
  return object != object_of(reinterpret_cast<const void*>(&is_program)) && !belongs_to_system(*object) &&
         !is_python_itself(*object);
}

/// What was found, by return address: the address with the answer in the highest bit, which no address has.
class Answers {
 public:
  template <class FindOut>
  bool answer_to(const void* return_address, const FindOut& find_out) {
    const auto address = reinterpret_cast<std::uint64_t>(return_address);
    auto& slot = slots_[(address ^ (address >> 8)) % slots_.size()];
    const std::uint64_t entry = slot.load(std::memory_order_relaxed);
    if ((entry & ~yes) == address) return (entry & yes) != 0;
    const bool found = find_out(return_address);
    slot.store(address | (found ? yes : 0), std::memory_order_relaxed);
    return found;
  }

 private:
  static constexpr std::uint64_t yes = 1ull << 63;
  std::array<std::atomic<std::uint64_t>, 256> slots_{};
};

}  // namespace

Time real_time(clockid_t clock) {
  timespec t{};
  real_clock_gettime(clock, &t);
  return to_time(t);
}

std::optional<Time> elapse(Nanoseconds passing) {
  if (inside) return std::nullopt;
  inside = true;
  const auto now = engine::virtual_now(passing);
  inside = false;
  if (!now) return std::nullopt;
  return std::llround(now->value);
}

std::optional<Time> shown(clockid_t clock, Time elapsed) {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
      return origins().real + elapsed;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_BOOTTIME:
      return origins().monotonic + elapsed;
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return elapsed;
    default:
      return std::nullopt;
  }
}

std::optional<Time> read(clockid_t clock, const void* return_address) {
  if (!applies_to(return_address)) return std::nullopt;
  const auto elapsed = elapse(reading);
  if (!elapsed) return std::nullopt;
  return shown(clock, bent(*elapsed, engine::other_clock()));
}

namespace {

/// Where threads begin (order/threads.cpp): the linker makes the section's borders known by these names.
extern "C" const char __start_lbhm_starts[]
    __attribute__((visibility("hidden")));  // NOLINT(bugprone-reserved-identifier)
extern "C" const char __stop_lbhm_starts[]
    __attribute__((visibility("hidden")));  // NOLINT(bugprone-reserved-identifier)

bool comes_from(const void* address, std::span<const std::string_view> files) {
  if (address >= __start_lbhm_starts && address < __stop_lbhm_starts) return true;
  const link_map* object = object_of(address);
  const std::string_view path = object ? object->l_name : "";
  return starts_with_one_of(path.substr(path.rfind('/') + 1), files);
}

}  // namespace

bool speaks_for_program(const void* return_address) {
  static constexpr std::array<std::string_view, 2> files{"libstdc++", "libc.so"};
  return is_program(return_address) || comes_from(return_address, files);
}

bool may_be_program(const void* return_address) {
  static constexpr std::array<std::string_view, 4> files{"libstdc++", "libc.so", "libomp", "libiomp5"};
  static constinit Answers answers;
  if (!engine::keeps_virtual_time()) return false;
  return answers.answer_to(return_address, [](const void* a) { return is_program(a) || comes_from(a, files); });
}

bool is_program(const void* return_address) {
  static constinit Answers answers;
  return answers.answer_to(return_address, find_out);
}

}  // namespace lbhm::clock
