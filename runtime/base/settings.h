// The settings. Each is a member of Settings and a row of the one table in settings.cpp, from which docs/settings.md is
// generated, too (`lbhm settings --markdown`).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm {

struct Setting {
  std::string_view name;         ///< field of Settings
  std::string_view environment;  ///< ends with a zero
  std::string_view default_value;
  std::string_view unit;
  std::string_view sentence;
};

std::span<const Setting> settings_table();

/// The values in force. Read once at start from the environment.
struct Settings {
  std::string machine = "host";
  std::string policy = "lbhm";
  std::string without;  ///< names, with commas
  std::optional<Bytes> fast_capacity;
  std::string presets;              ///< "": beside the library
  std::string report;               ///< "": none
  std::uint64_t sample_period = 0;  ///< 0: the machine's
  std::uint64_t seed = 1;
  Bytes managed_minimum{4096};
  bool memory_mode = false;
  std::string patterns;                  ///< "": what the program itself says
  std::string alpha;                     ///< "": stencils were not measured
  std::string model;                     ///< "", "analytic": none; "shipped": the one of the machine
  std::string scaling = "sizes";         ///< or "cosine"
  std::string base_profile = "samples";  ///< or "bits"
  double fast_share = 0.5;
  double pace = 1;
  std::string allocation_strategy = "traits";  ///< or "first-come", "described", "patterns"
  std::string sicm_chooser = "thermos";        ///< or "hotset", "knapsack"
  Bytes sicm_piece{0};                         ///< 0: whole sites
  double sicm_keep = 1;
  std::uint64_t region_executions = 1000;
  bool blocks = false;
  std::string profile;      ///< "": none
  std::string page_counts;  ///< "": none
  std::string uses;         ///< "": none
  std::uint64_t touch_period = 2003;
  bool contention = true;
  std::string find_phases = "off";
  std::string placement;  ///< "": none
  std::string tiers;      ///< memory nodes; "": as they are found
  std::string spread = "nearest";
  std::string huge_pages = "kernel";
  std::optional<Bytes> small_objects;  ///< nothing: no limit
  std::string heap = "auto";
  Bytes heap_minimum{64 << 10};
  std::optional<Bytes> arena_minimum;  ///< 0: no arenas; nothing: what suits the machine
  std::string sampler = "auto";
  std::string accessed = "auto";
  bool hint_faults = false;
  std::uint64_t other_clock = 0;  ///< which variant; 0: the clock is even, and lanes are alike
  std::uint64_t clock_begin = 0;  ///< seconds since 1970; 0: the real time
  double move_time = 100;         ///< milliseconds; 0: no limit
  Bytes heap_padding{0};

  bool operator==(const Settings&) const = default;
};

/// Errors: invalid_argument, naming the variable, its value and what it may be.
Result<Settings> read_settings();
/// "4096", "64K", "1.5G". Errors: invalid_argument.
Result<Bytes> parse_bytes(std::string_view text);

}  // namespace lbhm
