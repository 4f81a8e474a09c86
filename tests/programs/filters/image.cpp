#include "image.h"

#include <algorithm>

int Image::near(std::ptrdiff_t x, std::ptrdiff_t y) const {
  const auto inside = [](std::ptrdiff_t at, std::size_t size) {
    return static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at, 0, static_cast<std::ptrdiff_t>(size) - 1));
  };
  return at(inside(x, width()), inside(y, height()));
}

Image test_image(std::size_t width, std::size_t height) {
  Image image(width, height);
#pragma omp parallel for collapse(2)
  for (std::size_t y = 0; y < height; ++y)
    for (std::size_t x = 0; x < width; ++x)
      image.at(x, y) = static_cast<std::uint16_t>((x * x / 16 + y * 3 + ((x ^ y) & 31) * 8) % 256);
  return image;
}

std::uint64_t checksum(const Image& image) {
  std::uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (std::size_t i = 0; i < image.pixels().size(); ++i) sum += (i % 8191 + 1) * image.pixels()[i];
  return sum;
}

std::vector<std::size_t> histogram(const Image& image) {
  std::vector<std::size_t> counts(256);
  std::size_t* const count = counts.data();
#pragma omp parallel for reduction(+ : count[ : 256])
  for (std::size_t i = 0; i < image.pixels().size(); ++i) ++count[image.pixels()[i] % 256];
  return counts;
}
