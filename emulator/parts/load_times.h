// When the last load of every access site has its data, and when lines that are under way arrive; and what the plugin
// knows of the sites.
//
// An access whose address comes from a load can start when that load is done; so can a branch resolve.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/parts/cache.h"
#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

using SiteNumber = std::uint32_t;
inline constexpr SiteNumber no_site = 0;

/// One table for all modules of the process. Sites with one hashed number share an entry; the module that came last is
/// right. Safe from any thread.
class SiteTable {
 public:
  static SiteTable& of_process() {
    static SiteTable table;
    return table;
  }

  void add(const lbhm_emu_site* first, const lbhm_emu_site* last) {
    for (const lbhm_emu_site* site = first; site != last; ++site) {
      Entry& entry = entries_[site->number % LBHM_EMU_SITES];
      entry.address_from.store(static_cast<std::uint16_t>(site->address_from % LBHM_EMU_SITES), relaxed);
      entry.nontemporal.store((site->flags & LBHM_EMU_SITE_NONTEMPORAL) != 0, relaxed);
      if ((site->flags & LBHM_EMU_SITE_NONTEMPORAL) != 0) any_nontemporal_.store(true, relaxed);
    }
  }

  /// The load that the addresses of a site come from; 0: none.
  SiteNumber address_from(SiteNumber site) const { return entries_[site].address_from.load(relaxed); }
  bool nontemporal(SiteNumber site) const { return entries_[site].nontemporal.load(relaxed); }
  bool any_nontemporal() const { return any_nontemporal_.load(relaxed); }

 private:
  static constexpr auto relaxed = std::memory_order_relaxed;
  struct Entry {
    std::atomic<std::uint16_t> address_from{0};
    std::atomic<bool> nontemporal{false};
  };

  std::atomic<bool> any_nontemporal_{false};
  Entry entries_[LBHM_EMU_SITES];
};

class LoadTimes {
 public:
  struct Done {
    Picoseconds time : 63 = 0;
    Picoseconds memory : 1 = 0;  ///< the data came from main memory
  };

  Done of_site(SiteNumber site) const { return sites_[site]; }
  void set_site(SiteNumber site, Picoseconds time, bool memory) {
    if (site != no_site) sites_[site] = {time, memory};
    latest_ = time > latest_.time ? Done{time, memory} : latest_;
  }
  /// A line is under way until then. Hits of other sites on it wait for it, too.
  void set_line(LineId line, Done done) { lines_[line % lines_.size()] = {line, done}; }
  /// When the line arrives; in the past if it is not under way.
  Done of_line(LineId line) const {
    const Arrival& arrival = lines_[line % lines_.size()];
    return arrival.line == line ? arrival.done : Done{};
  }
  /// The last one of all.
  Done latest() const { return latest_; }

 private:
  struct Arrival {
    LineId line = no_line;
    Done done;
  };

  Done latest_;
  std::array<Arrival, 256> lines_{};
  ZeroedTable<Done> sites_{LBHM_EMU_SITES};
};

}  // namespace lbhm::emulator
