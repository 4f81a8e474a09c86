// Units as types: a number that travels between rooms says what it counts.
#pragma once

#include <compare>
#include <cstdint>

namespace lbhm {

/// A number with a unit. Quantities of one unit add, subtract and compare; mixing units does not compile.
template <class Unit, class Rep>
struct Quantity {
  Rep value{};

  constexpr Quantity() = default;
  constexpr explicit Quantity(Rep v) : value(v) {}

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) {
    value += o.value;
    return *this;
  }
  constexpr Quantity& operator-=(Quantity o) {
    value -= o.value;
    return *this;
  }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity(a.value + b.value); }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity(a.value - b.value); }
  friend constexpr Quantity operator*(Quantity a, Rep factor) { return Quantity(a.value * factor); }
  friend constexpr Quantity operator*(Rep factor, Quantity a) { return Quantity(a.value * factor); }
  friend constexpr Quantity operator/(Quantity a, Rep divisor) { return Quantity(a.value / divisor); }
  /// The ratio of two quantities of one unit is a plain number.
  friend constexpr double operator/(Quantity a, Quantity b) {
    return static_cast<double>(a.value) / static_cast<double>(b.value);
  }
};

using Bytes = Quantity<struct BytesUnit, std::uint64_t>;
/// Exact for whole nanoseconds up to 2^53 (104 days).
using Nanoseconds = Quantity<struct NanosecondsUnit, double>;
/// Main-memory accesses (misses of the last-level cache). Fractional, because most counts are estimates.
using AccessCount = Quantity<struct AccessCountUnit, double>;
/// 1 byte per nanosecond is 1 GB/s.
using BytesPerNanosecond = Quantity<struct BytesPerNanosecondUnit, double>;

/// Index of a tier of the machine; 0 is the fastest.
using TierId = Quantity<struct TierUnit, std::uint8_t>;
/// Number of an OpenMP thread in its team; the task of a region that this thread executes.
using LaneId = Quantity<struct LaneUnit, std::uint32_t>;
/// Number of an object in the registry, never reused.
using ObjectId = Quantity<struct ObjectUnit, std::uint64_t>;
/// Position of an object in the list given to LB_HM_config; what ties the objects of two instances together.
using ObjectSlot = Quantity<struct SlotUnit, std::uint32_t>;
/// Number of a page inside its object; 0 is the page of the object's first byte.
using PageIndex = Quantity<struct PageUnit, std::uint64_t>;

/// "In no tier": a page that nobody has touched yet, or an address that is not mapped.
inline constexpr TierId no_tier{0xff};

constexpr Bytes KiB(std::uint64_t n) { return Bytes(n << 10); }
constexpr Bytes MiB(std::uint64_t n) { return Bytes(n << 20); }
constexpr Bytes GiB(std::uint64_t n) { return Bytes(n << 30); }

}  // namespace lbhm
