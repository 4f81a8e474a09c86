// Takes numbers off the front of bytes that nobody vouches for. Little-endian, as the machines with these formats are.
#pragma once

#include <cstddef>
#include <cstring>
#include <span>

namespace lbhm::sampling {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// 0, and short_of() from then on, if there are not enough bytes.
  template <class Number>
  Number take() {
    Number number{};
    if (const auto bytes = take_bytes(sizeof number); !bytes.empty()) std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  std::span<const std::byte> take_bytes(std::size_t count) {
    if (count > rest_.size()) {
      short_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  bool empty() const { return rest_.empty(); }
  bool short_of() const { return short_; }

 private:
  std::span<const std::byte> rest_;
  bool short_ = false;
};

}  // namespace lbhm::sampling
