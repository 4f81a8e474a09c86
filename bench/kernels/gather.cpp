// sum += x[index[i]] with random indices: one stream, one random access.
#include <cstddef>
#include <random>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

class Gather : public Kernel {
 public:
  Gather() {
    std::mt19937_64 random(1);
    for (std::uint32_t& index : index_) index = static_cast<std::uint32_t>(random() % size);
  }
  double sweep() override {
    const double* const x = x_.data();
    const std::uint32_t* const index = index_.data();
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += x[index[i]];
    return sum;
  }
  std::uint64_t accesses() const override { return 2 * size; }

 private:
  static constexpr std::size_t size = std::size_t{4} << 20;  // x: 32 MiB, index: 16 MiB
  std::vector<double> x_ = std::vector<double>(size, 1.0);
  std::vector<std::uint32_t> index_ = std::vector<std::uint32_t>(size);
};

}  // namespace

std::unique_ptr<Kernel> make_gather() { return std::make_unique<Gather>(); }

}  // namespace bench
