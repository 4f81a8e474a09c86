// Which tier the memory that we place is in, or will be in once it is touched.
#pragma once

#include <array>
#include <cstdint>
#include <map>

#include "runtime/base/units.h"

namespace lbhm::host {

/// Ranges are [begin, end). Not thread-safe.
class TierAccount {
 public:
  /// From now on the range is in `tier`; no_tier: it is ours no more.
  void assign(std::uintptr_t begin, std::uintptr_t end, TierId tier);
  TierId at(std::uintptr_t address) const;
  Bytes held(TierId tier) const { return held_[tier.value]; }
  /// So much of the range.
  Bytes held(std::uintptr_t begin, std::uintptr_t end, TierId tier) const;

 private:
  struct Extent {
    std::uintptr_t end;
    TierId tier;
  };
  using Extents = std::map<std::uintptr_t, Extent>;

  /// Afterwards no extent reaches across `address`.
  void cut(std::uintptr_t address);
  void insert(std::uintptr_t begin, std::uintptr_t end, TierId tier);

  Extents extents_;
  std::array<Bytes, 256> held_{};
};

}  // namespace lbhm::host
