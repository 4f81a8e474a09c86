#include "runtime/sampling/mappings.h"

#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <fstream>

namespace lbhm::sampling {

std::optional<Mapping> parse_mapping(std::string_view line) {
  Mapping mapping;
  const char* const end = line.data() + line.size();
  // NOLINTNEXTLINE(bugprone-suspicious-stringview-data-usage): the end is given
  const auto [dash, first_error] = std::from_chars(line.data(), end, mapping.first, 16);
  if (first_error != std::errc{} || dash == end || *dash != '-') return std::nullopt;
  const auto [space, end_error] = std::from_chars(dash + 1, end, mapping.end, 16);
  if (end_error != std::errc{} || end - space < 5 || *space != ' ' || mapping.end <= mapping.first) return std::nullopt;
  mapping.protection =
      (space[1] == 'r' ? PROT_READ : 0) | (space[2] == 'w' ? PROT_WRITE : 0) | (space[3] == 'x' ? PROT_EXEC : 0);
  mapping.stack = line.ends_with("[stack]");
  return mapping;
}

std::vector<Mapping> read_mappings(const std::string& root) {
  std::vector<Mapping> mappings;
  std::ifstream file(root + "/proc/self/maps");
  for (std::string line; std::getline(file, line);) {
    if (const auto mapping = parse_mapping(line)) mappings.push_back(*mapping);
  }
  return mappings;
}

const Mapping* find_mapping(const std::vector<Mapping>& mappings, std::uintptr_t address) {
  const auto after = std::ranges::upper_bound(mappings, address, {}, &Mapping::first);
  if (after == mappings.begin() || address >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

}  // namespace lbhm::sampling
