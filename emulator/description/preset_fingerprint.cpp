#include "emulator/description/preset_fingerprint.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include "runtime/base/fingerprint.h"

namespace lbhm::emulator {
namespace {

using Json = nlohmann::json;

/// Each word with its length, so that "ab", "c" is not "a", "bc".
void add_word(Fingerprint& print, std::string_view word) {
  print.add(std::to_string(word.size()) + ":");
  print.add(word);
}

bool is_for_people(std::string_view key) {
  static constexpr std::array<std::string_view, 4> keys{"$schema", "name", "description", "source"};
  return std::ranges::find(keys, key) != keys.end();
}

/// `key`: of a member, or the position in a list.
void add_member(Fingerprint& print, std::string_view key, const Json& value);

void add_value(Fingerprint& print, const Json& value) {
  if (value.is_object()) {  // nlohmann::json keeps the keys of an object in order
    for (const auto& [key, member] : value.items()) {
      if (!is_for_people(key)) add_member(print, key, member);
    }
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) add_member(print, std::to_string(i), value[i]);
  } else if (value.is_number()) {  // 4 and 4.0 are one number
    const double number = value.get<double>() + 0.0;
    for (int shift = 0; shift < 64; shift += 8)
      print.add(std::string(1, static_cast<char>(std::bit_cast<std::uint64_t>(number) >> shift & 255)));
  } else if (value.is_string()) {
    add_word(print, value.get_ref<const std::string&>());
  }
}

void add_member(Fingerprint& print, std::string_view key, const Json& value) {
  add_word(print, key);
  print.add("{");
  add_value(print, value);
  print.add("}");
}

}  // namespace

std::string machine_fingerprint(const nlohmann::json& file) {
  Fingerprint print;
  add_value(print, file);
  return print.hex();
}

}  // namespace lbhm::emulator
