// How memory that nobody has touched yet is told on which nodes to appear.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm::host {

/// How pages of a tier lie on its nodes.
enum class Spread : std::uint8_t {
  nearest,     ///< on the node nearest to the thread that touches them; on other tiers when all nodes are full
  bind,        ///< the same, but never on another tier: a program that wants more is killed by the kernel
  interleave,  ///< by turns
  weighted,    ///< by turns, in the ratio of the kernel's weights (since 6.9), else as interleave
};
std::optional<Spread> parse_spread(std::string_view text);

/// Pages of [address, address + bytes), both page-aligned, that are touched from now on appear on `nodes`. Kernels that
/// do not know a policy get the nearest that they know. Errors: unavailable (the kernel refuses), not_found (no such
/// memory), no_memory (too many separate ranges).
Status place_on(std::uintptr_t address, Bytes bytes, std::span<const int> nodes, Spread spread);

}  // namespace lbhm::host
