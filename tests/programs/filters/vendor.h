/* libvendor: compression of 16-bit values. */
#pragma once

#include <cstddef>
#include <cstdint>

/// Runs of equal values as (value, length). `out` has room for 2 * count values. Returns how many were written.
std::size_t vendor_compress(const std::uint16_t* values, std::size_t count, std::uint16_t* out);
std::size_t vendor_expand(const std::uint16_t* runs, std::size_t count, std::uint16_t* out);
/// Calls `each` for every value; returns the sum of what it returned.
long vendor_for_each(const std::uint16_t* values, std::size_t count, long (*each)(std::uint16_t, void*), void* data);
