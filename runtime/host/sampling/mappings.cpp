#include "runtime/host/sampling/mappings.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
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

Pagemap::Pagemap(const std::string& root)
    : file_(open((root + "/proc/self/pagemap").c_str(), O_RDONLY | O_CLOEXEC)),
      page_(static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE))) {}

Pagemap::~Pagemap() {
  if (file_ >= 0) close(file_);
}

void Pagemap::read(std::span<const std::uintptr_t> pages, std::span<std::uint64_t> out) const {
  std::ranges::fill(out, 0);
  for (std::size_t first = 0; first < pages.size();) {
    std::size_t end = first + 1;
    while (end < pages.size() && pages[end] == pages[end - 1] + page_) ++end;
    const auto run = out.subspan(first, end - first);
    const auto at = static_cast<off_t>(pages[first] / page_ * sizeof(std::uint64_t));
    if (pread(file_, run.data(), run.size_bytes(), at) < 0) std::ranges::fill(run, 0);
    first = end;
  }
}

}  // namespace lbhm::sampling
