// The mean of a square of pixels, by sums along rows and then along columns.
#include "filter.h"

namespace {

constexpr int radius = 3;

class Blur final : public Filter {
 public:
  const char* name() const override { return "blur"; }

  Image apply(const Image& image) const override {
    const auto width = static_cast<std::ptrdiff_t>(image.width());
    const auto height = static_cast<std::ptrdiff_t>(image.height());
    std::vector<int> rows(image.pixels().size());
    Image result(image.width(), image.height());
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 8)
      for (std::ptrdiff_t y = 0; y < height; ++y)
        for (std::ptrdiff_t x = 0; x < width; ++x) {
          int sum = 0;
          for (int k = -radius; k <= radius; ++k) sum += image.near(x + k, y);
          rows[static_cast<std::size_t>(y * width + x)] = sum;
        }
#pragma omp for
      for (std::ptrdiff_t y = 0; y < height; ++y)
        for (std::ptrdiff_t x = 0; x < width; ++x) {
          int sum = 0;
          for (int k = -radius; k <= radius; ++k) {
            const std::ptrdiff_t row = y + k < 0 ? 0 : y + k >= height ? height - 1 : y + k;
            sum += rows[static_cast<std::size_t>(row * width + x)];
          }
          result.at(static_cast<std::size_t>(x), static_cast<std::size_t>(y)) = mean(sum);
        }
    }
    return result;
  }

  int pixel(const Image& image, std::ptrdiff_t x, std::ptrdiff_t y) const override {
    int sum = 0;
    for (int j = -radius; j <= radius; ++j)
      for (int i = -radius; i <= radius; ++i) sum += image.near(x + i, y + j);
    return mean(sum);
  }

 private:
  static std::uint16_t mean(int sum) { return static_cast<std::uint16_t>(sum / ((2 * radius + 1) * (2 * radius + 1))); }
};

}  // namespace

extern "C" __attribute__((visibility("default"))) Filter* make_filter() { return new Blur; }
