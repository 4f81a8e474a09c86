// sum += x[index[i]] with random indices: one stream, one random access.
#include <cstddef>
#include <random>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

class Gather : public Kernel {
 public:
  explicit Gather(std::size_t size) : size_(size) {
    std::mt19937_64 random(1);
    for (std::uint32_t& index : index_) index = static_cast<std::uint32_t>(random() % size_);
  }
  double sweep() override {
    const double* const x = x_.data();
    const std::uint32_t* const index = index_.data();
    double sum = 0;
    for (std::size_t i = 0; i < size_; ++i) sum += x[index[i]];
    return sum;
  }
  std::uint64_t accesses() const override { return 2 * size_; }

 private:
  std::size_t size_;
  std::vector<double> x_ = std::vector<double>(size_, 1.0);
  std::vector<std::uint32_t> index_ = std::vector<std::uint32_t>(size_);
};

}  // namespace

// x: 32 MiB, index: 16 MiB; and 256 MiB in all.
std::unique_ptr<Kernel> make_gather() { return std::make_unique<Gather>(std::size_t{4} << 20); }
std::unique_ptr<Kernel> make_large_gather() { return std::make_unique<Gather>((std::size_t{256} << 20) / 12); }

}  // namespace bench
