// How large a block of ours is.
#pragma once

#include <cstdint>
#include <optional>

namespace lbhm::allocators {

/// As it was asked for. Nothing: no block of ours that is in use begins at `address`, which may be any.
std::optional<std::uint64_t> block_size(const void* address);

}  // namespace lbhm::allocators
