// What the plugin knows of the access sites of the program: one table for all modules of the process.
#pragma once

#include <atomic>
#include <cstdint>

#include "lbhm/instrumentation.h"

namespace lbhm::emulator {

using SiteNumber = std::uint32_t;
inline constexpr SiteNumber no_site = 0;

/// Sites with one hashed number share an entry; the module that came last is right. Safe from any thread.
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

}  // namespace lbhm::emulator
