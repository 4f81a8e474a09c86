// What /proc/self/maps says of addresses: which may be accessed how.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace lbhm::sampling {

struct Mapping {
  std::uintptr_t first = 0;
  std::uintptr_t end = 0;
  int protection = 0;  ///< PROT_READ | ...
  bool stack = false;  ///< of the initial thread
};

/// One line; nothing if it is none.
std::optional<Mapping> parse_mapping(std::string_view line);

/// By address; empty if the file cannot be read. `root`: of /proc.
std::vector<Mapping> read_mappings(const std::string& root);

/// The mapping of an address; null if there is none.
const Mapping* find_mapping(const std::vector<Mapping>& mappings, std::uintptr_t address);

}  // namespace lbhm::sampling
