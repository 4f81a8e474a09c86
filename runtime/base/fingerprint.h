// A short name for a content: two files with one fingerprint are taken to be the same. Not safe against forgery.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace lbhm {

/// FNV-1a, 64 bits (Fowler, Noll, Vo; RFC 9923).
class Fingerprint {
 public:
  void add(std::string_view bytes) {
    for (const char byte : bytes) value_ = (value_ ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }

  std::uint64_t value() const { return value_; }
  /// 16 hexadecimal digits.
  std::string hex() const {
    std::string digits(16, '0');
    for (std::size_t i = 0; i < digits.size(); ++i) digits[i] = "0123456789abcdef"[value_ >> (60 - 4 * i) & 15];
    return digits;
  }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325;
};

}  // namespace lbhm
