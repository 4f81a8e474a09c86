// What the kernel says of this process's memory: /proc/self/maps and /proc/self/pagemap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

class Pagemap {
 public:
  /// `root`: of /proc.
  explicit Pagemap(const std::string& root);
  ~Pagemap();
  Pagemap(const Pagemap&) = delete;
  Pagemap& operator=(const Pagemap&) = delete;

  bool is_open() const { return file_ >= 0; }
  /// out[i]: the entry of pages[i]; 0 where there is none. One call for pages that are neighbours.
  void read(std::span<const std::uintptr_t> pages, std::span<std::uint64_t> out) const;

  static bool present(std::uint64_t entry) { return entry >> 63 != 0; }
  /// 0 without CAP_SYS_ADMIN.
  static std::uint64_t frame(std::uint64_t entry) {
    return present(entry) ? entry & ((std::uint64_t{1} << 55) - 1) : 0;
  }

 private:
  int file_;
  std::uintptr_t page_;
};

}  // namespace lbhm::sampling
