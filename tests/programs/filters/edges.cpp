// Sobel's operator.
#include <algorithm>
#include <cstdlib>

#include "filter.h"

namespace {

class Edges final : public Filter {
 public:
  const char* name() const override { return "edges"; }

  Image apply(const Image& image) const override {
    Image result(image.width(), image.height());
#pragma omp parallel for schedule(static, 4)
    for (std::size_t y = 0; y < image.height(); ++y)
      for (std::size_t x = 0; x < image.width(); ++x)
        result.at(x, y) =
            static_cast<std::uint16_t>(pixel(image, static_cast<std::ptrdiff_t>(x), static_cast<std::ptrdiff_t>(y)));
    return result;
  }

  int pixel(const Image& image, std::ptrdiff_t x, std::ptrdiff_t y) const override {
    int across = 0, down = 0;
    for (int k = -1; k <= 1; ++k) {
      const int weight = k == 0 ? 2 : 1;
      across += weight * (image.near(x + 1, y + k) - image.near(x - 1, y + k));
      down += weight * (image.near(x + k, y + 1) - image.near(x + k, y - 1));
    }
    return std::min(std::abs(across) + std::abs(down), 255);
  }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) Filter* make_filter() { return new Edges; }
