// /proc/self/pagemap: what the page tables hold (Documentation/admin-guide/mm/pagemap.rst of the kernel).
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace lbhm::sampling {

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
