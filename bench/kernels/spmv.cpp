// y = A * x with A in compressed sparse rows, 16 random columns a row.
#include <cstddef>
#include <random>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

class Spmv : public Kernel {
 public:
  Spmv() {
    std::mt19937_64 random(1);
    for (std::uint32_t& column : columns_) column = static_cast<std::uint32_t>(random() % rows);
    for (std::size_t row = 0; row <= rows; ++row) pointers_[row] = row * row_length;
  }
  double sweep() override {
    const std::size_t* const pointers = pointers_.data();
    const std::uint32_t* const columns = columns_.data();
    const double* const values = values_.data();
    const double* const x = x_.data();
    double* const y = y_.data();
    for (std::size_t row = 0; row < rows; ++row) {
      double sum = 0;
      for (std::size_t i = pointers[row]; i < pointers[row + 1]; ++i) sum += values[i] * x[columns[i]];
      y[row] = sum;
    }
    return y[rows / 2];
  }
  /// A non-zero: value, column, x. A row: its end and y (its begin is the end of the row before).
  std::uint64_t accesses() const override { return 3 * rows * row_length + 2 * rows; }

 private:
  static constexpr std::size_t rows = 200'000;
  static constexpr std::size_t row_length = 16;
  std::vector<std::size_t> pointers_ = std::vector<std::size_t>(rows + 1);
  std::vector<std::uint32_t> columns_ = std::vector<std::uint32_t>(rows * row_length);
  std::vector<double> values_ = std::vector<double>(rows * row_length, 0.5);
  std::vector<double> x_ = std::vector<double>(rows, 1.0);
  std::vector<double> y_ = std::vector<double>(rows, 0.0);
};

}  // namespace

std::unique_ptr<Kernel> make_spmv() { return std::make_unique<Spmv>(); }

}  // namespace bench
