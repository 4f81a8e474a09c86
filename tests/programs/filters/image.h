// libimage: grey images.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

class Image {
 public:
  Image(std::size_t width, std::size_t height) : width_(width), pixels_(width * height) {}
  std::size_t width() const { return width_; }
  std::size_t height() const { return pixels_.size() / width_; }
  std::uint16_t& at(std::size_t x, std::size_t y) { return pixels_[y * width_ + x]; }
  std::uint16_t at(std::size_t x, std::size_t y) const { return pixels_[y * width_ + x]; }
  /// The nearest pixel, for places outside.
  int near(std::ptrdiff_t x, std::ptrdiff_t y) const;
  std::vector<std::uint16_t>& pixels() { return pixels_; }
  const std::vector<std::uint16_t>& pixels() const { return pixels_; }

 private:
  std::size_t width_;
  std::vector<std::uint16_t> pixels_;
};

Image test_image(std::size_t width, std::size_t height);
std::uint64_t checksum(const Image& image);
/// How often each grey value occurs.
std::vector<std::size_t> histogram(const Image& image);
