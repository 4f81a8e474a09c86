// Cosine similarity of two inputs, section 5.2 of the paper.
#include <algorithm>
#include <cmath>

#include "model/bounded.h"
#include "model/model.h"

namespace lbhm {

double cosine_similarity(std::span<const Bytes> base, std::span<const Bytes> now) {
  const auto at = [](std::span<const Bytes> sizes, std::size_t slot) {
    return slot < sizes.size() ? static_cast<double>(sizes[slot].value) : 0;
  };
  double product = 0, base_square = 0, now_square = 0;
  for (std::size_t slot = 0; slot < std::max(base.size(), now.size()); ++slot) {
    const double a = at(base, slot), b = at(now, slot);
    product += a * b;
    base_square += a * a;
    now_square += b * b;
  }
  if (base_square == 0 || now_square == 0) return 1;
  return model::share(product / std::sqrt(base_square) / std::sqrt(now_square));
}

}  // namespace lbhm
