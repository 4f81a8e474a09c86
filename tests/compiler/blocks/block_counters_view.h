// Builds programs with counters, runs them and reads what the recorder wrote.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/compiler/compiled_program.h"

namespace lbhm::test {

struct Counter {
  std::string function;
  std::uint64_t count = 0;
  std::uint64_t per_call = 0;
  std::uint64_t bytes = 0;
  std::uint64_t depth = 0;
  std::uint64_t flags = 0;
  std::uint64_t first = 0, last = 0;  ///< lines
  std::uint64_t instructions = 0;
};

struct Counters {
  std::vector<Counter> all;
  std::vector<std::string> modules;  ///< their numbers

  /// Loaded and stored by the function.
  std::uint64_t bytes(const std::string& function) const;
  std::uint64_t calls(const std::string& function) const;
  std::vector<Counter> of(const std::string& function) const;
};

/// What the plugin of this file counts. Empty if anything failed: the test has failed then.
Counters count(const std::string& plugin, const std::string& arguments, const std::vector<std::string>& sources);
/// Of a program that is linked with the recorder.
Counters count_program(const std::string& command);

std::string block_recorder_flags();

inline const std::string counting = LBHM_PATTERNS;  ///< the plugin that only counts
inline const std::string emulating = LBHM_PLUGIN;

}  // namespace lbhm::test
