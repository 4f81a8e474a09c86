// Where the scans of memory-optimizer and merchandiser learn which pages were accessed: accessed bits, Thermostat's
// sampling of fast memory, or samples.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"
#include "runtime/machine/machine.h"

namespace lbhm::placement {

struct WatchedPage {
  std::uintptr_t address = 0;
  TierId tier;
};

class AccessedWatch {
 public:
  virtual ~AccessedWatch() = default;
  /// found[i]: was pages[i] accessed since the last call? `pages` are by address, in tiers; `period`: of scans, from 0.
  virtual void scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t period,
                    std::span<bool> found) = 0;
};

/// MemoryOptimizer's: the accessed bit of every page.
class AllBits final : public AccessedWatch {
 public:
  void scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t period, std::span<bool> found) override;
};

/// Merchandiser's (section 4): slow memory as above; fast memory as Thermostat has it (Agarwal, Wenisch, ASPLOS '17,
/// section 3.2, as section 4 puts it): of each 2 MiB one 4 KiB page is watched and stands for all of them. Which one is
/// drawn anew for every period. The 2 MiB are scaled like all published amounts (daemon.h), so that fast memory has as
/// many parts as there: a part is a page up to a footprint of 838 MB.
class SampledFastBits final : public AccessedWatch {
 public:
  /// Nothing: 2 MiB, scaled by the footprint.
  explicit SampledFastBits(Bytes part = {}) : part_(part) {}
  void scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t period, std::span<bool> found) override;

 private:
  Bytes part_;
};

/// Where no page is watched: a page of which there was a sample was accessed.
class SampledPages final : public AccessedWatch {
 public:
  void add(std::span<const AccessSample> samples);
  void scan(Machine& machine, std::span<const WatchedPage> pages, std::uint64_t period, std::span<bool> found) override;

 private:
  std::vector<std::uintptr_t> accessed_;  // addresses of samples since the last scan
};

}  // namespace lbhm::placement
