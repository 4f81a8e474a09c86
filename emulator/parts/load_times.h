// When the last load of every access site has its data, and when lines that are under way arrive.
//
// An access whose address comes from a load can start when that load is done; so can a branch resolve.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "emulator/base/private_memory.h"
#include "emulator/base/time.h"
#include "emulator/parts/cache.h"
#include "emulator/parts/site_table.h"

namespace lbhm::emulator {

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
