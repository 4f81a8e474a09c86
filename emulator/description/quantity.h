// Quantities of a machine file: {"value": number, "source": text}, so that every figure says where it is from.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "runtime/base/json.h"

namespace lbhm::emulator {

inline constexpr std::string_view machine_schema = "lbhm.machine/3";
inline constexpr std::string_view schema_without_curves = "lbhm.machine/2";  // otherwise the same

inline constexpr double least_bandwidth = 1e-3;  // GB/s
inline constexpr double most_bandwidth = 1e6;

/// A text that somebody can read.
inline const std::string& words_of(const JsonAt& object, std::string_view key) {
  const std::string& text = object[key].filled_text();
  if (text.find_first_not_of(" \t\n\r\f\v") == std::string::npos)
    object[key].refuse("must be a text that is not blank");
  return text;
}

/// The value of a quantity of `object`.
inline JsonAt quantity_of(const JsonAt& object, std::string_view key) {
  const JsonAt quantity = object[key];
  quantity.allow_only({"value", "source"}, machine_schema);
  (void)words_of(quantity, "source");
  return quantity["value"];
}

inline double number_of(const JsonAt& object, std::string_view key, double least, double most) {
  return quantity_of(object, key).number(least, most);
}

inline std::uint64_t whole_of(const JsonAt& object, std::string_view key, std::uint64_t least, std::uint64_t most) {
  return quantity_of(object, key).whole(least, most);
}

/// A whole number of at most 32 bits.
inline std::uint32_t small_of(const JsonAt& object, std::string_view key, std::uint32_t least, std::uint32_t most) {
  return static_cast<std::uint32_t>(whole_of(object, key, least, most));
}

}  // namespace lbhm::emulator
