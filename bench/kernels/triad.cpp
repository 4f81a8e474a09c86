// a = b + s * c: three streams.
#include <cstddef>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

class Triad : public Kernel {
 public:
  explicit Triad(std::size_t size) : size_(size) {}
  double sweep() override {
    double* const a = a_.data();
    const double* const b = b_.data();
    const double* const c = c_.data();
    for (std::size_t i = 0; i < size_; ++i) a[i] = b[i] + 3.0 * c[i];
    return a[size_ / 2];
  }
  std::uint64_t accesses() const override { return 3 * size_; }

 private:
  std::size_t size_;
  std::vector<double> a_ = std::vector<double>(size_, 0.0);
  std::vector<double> b_ = std::vector<double>(size_, 1.0);
  std::vector<double> c_ = std::vector<double>(size_, 2.0);
};

}  // namespace

// 16 MiB an array, and 256 MiB in all.
std::unique_ptr<Kernel> make_triad() { return std::make_unique<Triad>(std::size_t{2} << 20); }
std::unique_ptr<Kernel> make_large_triad() { return std::make_unique<Triad>((std::size_t{256} << 20) / 24); }

}  // namespace bench
