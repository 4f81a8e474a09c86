// The command line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "apps/common/mini_app.h"

namespace imbalance {

/// --limit: what tasks wait for.
enum class Limit : std::uint8_t {
  latency,    ///< loads whose address comes from the load before
  bandwidth,  ///< loads that do not wait for each other, streams
  mixed
};

struct Options : apps::CommonOptions {
  unsigned tasks = 12;               ///< --tasks
  double imbalance = 3;              ///< --imbalance; 0 and 1: all equal
  double alignment = 0;              ///< --alignment; from -1 to 1
  Limit limit = Limit::mixed;        ///< --limit
  unsigned rounds = 20;              ///< --rounds
  std::uint64_t mebibytes = 24;      ///< --mib: of all tasks together
  std::uint64_t thousand_loads = 0;  ///< --kloads: a round, of all tasks together; 0: usual_thousand_loads
  double vary = 0;                   ///< --vary
  bool plain = false;                ///< --plain
  bool one_region = false;           ///< --one-region
  bool hottest_first = false;        ///< --hottest-first
};

/// So many loads that rounds take 10 to 20 ms on machine `optane`.
std::uint64_t usual_thousand_loads(Limit limit);

inline constexpr unsigned max_tasks = 1000;
inline constexpr unsigned max_rounds = 1000;

/// The arguments after the program's name. Throws InputError, naming the option and what it may be.
Options parse_options(const std::vector<std::string_view>& arguments);

}  // namespace imbalance
