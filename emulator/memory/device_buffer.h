// What a memory moves that works in blocks larger than a line.
//
// Optane modules read and write 256-byte blocks. A buffer in the module holds the last blocks, so that accesses to
// neighbouring lines move a block once, and an access to one line alone moves four times what it asked for.
// Izraelevitz et al., "Basic Performance Measurements of the Intel Optane DC Persistent Memory Module",
// arXiv:1903.05714; Yang et al., "An Empirical Guide to the Behavior and Use of Scalable Persistent Memory", FAST 2020.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>

#include "emulator/base/private_memory.h"
#include "emulator/description/preset.h"
#include "emulator/parts/cache.h"

namespace lbhm::emulator {

/// One core's part of the buffer of one tier: sets of four blocks, the oldest out first.
class DeviceBuffer {
 public:
  explicit DeviceBuffer(const TierDetail& detail)
      : lines_(static_cast<std::uint32_t>(detail.granularity.value >> line_bits)),
        block_shift_(static_cast<unsigned>(std::countr_zero(lines_))),
        set_count_(std::max<std::uint64_t>(detail.buffer.value / detail.granularity.value / ways, 1)),
        sets_(set_count_) {}

  /// How many lines the device moves for an access to this one.
  [[gnu::always_inline]] std::uint32_t lines_moved(LineId line, bool write) {
    if (lines_ == 1) return 1;
    // Blocks that were read and blocks that are being written are counted apart: each is moved once.
    const std::uint32_t block = (line >> block_shift_) << 1 | static_cast<std::uint32_t>(write);
    // Streams that are a power of two apart use different sets.
    constexpr std::uint32_t golden = 0x9e3779b1;
    const std::uint32_t hash = block * golden;
    Set& set = sets_[std::uint64_t{hash} * set_count_ >> 32];
    const Set held = set;
    const Bits bits = __builtin_convertvector(held == block, Bits);
    std::uint8_t matches = 0;
    std::memcpy(&matches, &bits, sizeof(bits));
    const bool known = (matches & ((1u << ways) - 1)) != 0;
    // The newest block stands first. Read and written as a whole: a narrow store would make the next wide load wait.
    // Without a branch, for the host cannot foresee which accesses find their block here.
    const Set brought_in = __builtin_shufflevector(Set{block}, held, 0, 4, 5, 6);
    set = known ? held : brought_in;
    return known ? 0 : lines_;
  }

 private:
  static constexpr std::uint32_t ways = 4;
  using Set = std::uint32_t __attribute__((vector_size(4 * ways)));  // blocks
  using Bits = bool __attribute__((ext_vector_type(ways)));

  std::uint32_t lines_;
  unsigned block_shift_;
  std::uint64_t set_count_;
  PrivateVector<Set> sets_;
};

}  // namespace lbhm::emulator
