// The five-point stencil of Jacobi's iteration on a square grid.
#include <cstddef>
#include <utility>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

class Jacobi : public Kernel {
 public:
  double sweep() override {
    const double* const from = from_.data();
    double* const to = to_.data();
    for (std::size_t row = 1; row + 1 < side; ++row) {
      for (std::size_t column = 1; column + 1 < side; ++column) {
        const std::size_t i = row * side + column;
        to[i] = 0.25 * (from[i - side] + from[i - 1] + from[i + 1] + from[i + side]);
      }
    }
    std::swap(from_, to_);
    return from_[side + 1];
  }
  std::uint64_t accesses() const override { return 5 * (side - 2) * (side - 2); }

 private:
  static constexpr std::size_t side = 2048;  // 32 MiB a grid
  std::vector<double> from_ = std::vector<double>(side * side, 1.0);
  std::vector<double> to_ = std::vector<double>(side * side, 0.0);
};

}  // namespace

std::unique_ptr<Kernel> make_jacobi() { return std::make_unique<Jacobi>(); }

}  // namespace bench
