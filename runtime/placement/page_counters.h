// Access counters of all managed pages, and how the pages spread over them: MEMTIS's page access histogram
// (Lee et al., SOSP '23, section 4.1; the sizes are those of the authors' htmm_core.c).
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "runtime/placement/placement.h"

namespace lbhm::placement {

class PageCounters {
 public:
  /// Bin b holds the pages whose counter is in [2^b - 1, 2^(b+1) - 1); the last one also all above.
  static constexpr unsigned bins = 16;
  /// What one sample adds to a page of 4 KiB: a huge page's counter is the sum of its 512 pages, so that a page of 4
  /// KiB with as many samples is 512 times as hot (HPAGE_PMD_NR in update_base_page).
  static constexpr std::uint64_t per_sample = 512;

  /// A counter with this bit is that of a page that was never sampled: it is in no bin, and its newness, which cools as
  /// all counters do, keeps it in fast memory but does not bring it there.
  static constexpr std::uint64_t fresh = std::uint64_t{1} << 63;
  /// The counter of a page that nobody has touched yet.
  static constexpr std::uint64_t untouched = ~std::uint64_t{0};

  /// Forgets pages of objects that are gone, and takes on those of new objects. From now on pages appear with the
  /// counter `newborn`.
  void follow(std::span<const PlacedObject> objects, Bytes page, std::uint64_t newborn);
  /// The page with this address has been touched.
  void appear(std::uintptr_t address);
  /// The object at this address is a new one, though there may have been one like it before.
  void forget(std::uintptr_t address);
  /// A sampled access. False if the address is in no object.
  bool count(std::uintptr_t address);
  /// Halves all counters.
  void cool();

  /// Pages by bin.
  const std::array<std::uint64_t, bins>& histogram() const { return histogram_; }
  /// The sum of all counters.
  std::uint64_t total() const;
  /// Addresses of all pages, touched or not, ascending, and their counters.
  void list(std::vector<std::uintptr_t>& pages, std::vector<std::uint64_t>& counts) const;

  static unsigned bin_of(std::uint64_t count);
  /// A counter in this bin: 0 or 2^bin (get_accesses_from_idx).
  static std::uint64_t count_in(unsigned bin) { return bin == 0 ? 0 : std::uint64_t{1} << bin; }

 private:
  /// Null if the address is in no object.
  std::uint64_t* find(std::uintptr_t address);
  void count_bins();

  std::uint64_t page_ = 4096;
  std::uint64_t newborn_ = 0;
  std::array<std::uint64_t, bins> histogram_{};
  std::map<std::uintptr_t, std::vector<std::uint64_t>> objects_;  ///< counters by page, by address of the object
};

}  // namespace lbhm::placement
