#include "emulator/openmp/clock/caller.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <span>
#include <string_view>

#include "libomp-ext/real/loaded_object.h"

namespace lbhm::clock {
namespace {

using real::object_of;

/// Libraries of the system are not built with the plugin: their work takes no virtual time, so they have no use for it
/// (allocators that age their caches, libraries that tune themselves).
constexpr std::array<std::string_view, 3> system_folders{"/lib", "/usr/lib", "/usr/local/lib"};
/// The same, wherever they lie.
constexpr std::array<std::string_view, 6> system_files{"libomp",    "libiomp5", "libarcher",
                                                       "libpython", "python",   "libstdc++"};
/// These ask for the program. (libstdc++ does so in chrono_functions.cpp.)
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
constexpr std::uint64_t answer_bit = 1ull << 63;
constinit std::array<std::atomic<std::uint64_t>, 256> known{};

}  // namespace

bool is_program(const void* return_address) {
  const auto address = reinterpret_cast<std::uint64_t>(return_address);
  auto& slot = known[(address ^ (address >> 8)) % known.size()];
  const std::uint64_t entry = slot.load(std::memory_order_relaxed);
  if ((entry & ~answer_bit) == address) return (entry & answer_bit) != 0;
  const bool program = find_out(return_address);
  slot.store(address | (program ? answer_bit : 0), std::memory_order_relaxed);
  return program;
}

}  // namespace lbhm::clock
