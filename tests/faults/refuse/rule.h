// Which system calls of a program fail, and how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace refuse {

/// CALL[:WHAT][#N|#N-M]=ERROR. WHAT: for calls that take a path a pattern as of a shell (a * matches slashes, too), for
/// mmap and munmap a number of bytes, for mbind and move_pages nothing. #N: only the first N such calls; #N-M: only the
/// N-th to the M-th. CALL `path` stands for all calls that take a path and only look or read.
struct Rule {
  std::string call;
  std::string what;
  std::uint64_t first = 1, last = ~std::uint64_t{0};  ///< of the calls that it speaks of
  int error = 0;
  std::uint64_t met = 0;
  std::uint64_t refused = 0;
};

/// A system call that a rule can name.
struct Call {
  const char* name;
  int number;
  int path_argument;    ///< -1: none
  int length_argument;  ///< -1: none
};

/// Nothing: the text is no rule.
std::optional<Rule> parse_rule(const std::string& text);

/// The calls that a rule speaks of; at least one.
std::vector<Call> calls_of(const Rule& rule);

}  // namespace refuse
