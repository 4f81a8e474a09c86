// node = node->next through a random cycle: every access waits for the one before.
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#include "bench/kernels/kernel.h"

namespace bench {
namespace {

struct alignas(64) Node {
  Node* next = nullptr;
};

class Chase : public Kernel {
 public:
  Chase() {
    std::mt19937_64 random(1);
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t last = size; last > 1; --last) std::swap(order[last - 1], order[random() % last]);
    for (std::size_t i = 0; i < size; ++i) nodes_[order[i]].next = &nodes_[order[(i + 1) % size]];
  }
  double sweep() override {
    const Node* node = nodes_.data();
    for (std::size_t i = 0; i < steps; ++i) node = node->next;
    return static_cast<double>(node - nodes_.data());
  }
  std::uint64_t accesses() const override { return steps; }

 private:
  static constexpr std::size_t size = std::size_t{1} << 20;  // 64 MiB
  static constexpr std::size_t steps = size / 2;
  std::vector<Node> nodes_ = std::vector<Node>(size);
};

}  // namespace

std::unique_ptr<Kernel> make_chase() { return std::make_unique<Chase>(); }

}  // namespace bench
