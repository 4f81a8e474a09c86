// a = b + s * c: three streams.
#include <cstddef>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

class Triad : public Kernel {
 public:
  double sweep() override {
    double* const a = a_.data();
    const double* const b = b_.data();
    const double* const c = c_.data();
    for (std::size_t i = 0; i < size; ++i) a[i] = b[i] + 3.0 * c[i];
    return a[size / 2];
  }
  std::uint64_t accesses() const override { return 3 * size; }

 private:
  static constexpr std::size_t size = std::size_t{2} << 20;  // 16 MiB an array
  std::vector<double> a_ = std::vector<double>(size, 0.0);
  std::vector<double> b_ = std::vector<double>(size, 1.0);
  std::vector<double> c_ = std::vector<double>(size, 2.0);
};

}  // namespace

std::unique_ptr<Kernel> make_triad() { return std::make_unique<Triad>(); }

}  // namespace bench
