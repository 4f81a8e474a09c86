// A short name for a content: two files with one fingerprint are taken to be the same. Not safe against forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lbhm {

/// 16 hexadecimal digits.
inline std::string hex(std::uint64_t value) {
  std::string digits(16, '0');
  for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = "0123456789abcdef"[value >> (60 - 4 * i) & 15];
  return digits;
}

/// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923).
class Fingerprint {
 public:
  static constexpr std::uint64_t of_nothing = 0xcbf29ce484222325;

  /// Goes on from the value of another one.
  explicit Fingerprint(std::uint64_t value = of_nothing) : value_(value) {}
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }

  std::uint64_t value() const { return value_; }
  std::string hex() const { return lbhm::hex(value_); }

 private:
  std::uint64_t value_;
};

}  // namespace lbhm
