#include "apps/tensor/contraction.h"

#include <algorithm>
#include <string>

#include "apps/common/mini_app.h"

namespace tensor {
namespace {

void check_modes(const char* tensor, std::size_t order, std::span<const unsigned> modes) {
  for (std::size_t i = 0; i < modes.size(); ++i) {
    const std::string mode = "mode " + std::to_string(modes[i] + 1) + " of " + tensor;
    if (modes[i] >= order) {
      throw apps::InputError(mode + " cannot be contracted: the tensor has " + std::to_string(order) +
                             " modes. Correct the list of modes.");
    }
    if (std::ranges::find(modes.first(i), modes[i]) != modes.first(i).end()) {
      throw apps::InputError(mode + " is contracted twice. Name every mode once.");
    }
  }
}

std::vector<unsigned> free_modes(std::size_t order, std::span<const unsigned> contracted) {
  std::vector<unsigned> free;
  for (unsigned mode = 0; mode < order; ++mode) {
    if (std::ranges::find(contracted, mode) == contracted.end()) free.push_back(mode);
  }
  return free;
}

KeyOf free_key(std::span<const Index> shape, std::span<const unsigned> contracted) {
  const std::vector<unsigned> modes = free_modes(shape.size(), contracted);
  std::vector<Index> extents;
  for (const unsigned mode : modes) extents.push_back(shape[mode]);
  return {modes, extents};
}

}  // namespace

KeyOf::KeyOf(std::span<const unsigned> modes, std::span<const Index> extents)
    : count_(static_cast<unsigned>(modes.size())) {
  Key keys = 1;
  for (unsigned i = 0; i < count_; ++i) {
    modes_[i] = modes[i];
    extents_[i] = std::max<Key>(extents[i], 1);
    if (__builtin_mul_overflow(keys, extents_[i], &keys) || keys > no_key / 2) {
      throw apps::InputError(
          "the free or the contracted modes of a tensor together have more than 2^63 places. Use a smaller tensor, or "
          "contract other modes.");
    }
  }
}

Contraction make_contraction(std::span<const Index> x_shape, std::span<const Index> y_shape,
                             const ContractModes& modes) {
  check_modes("X", x_shape.size(), modes.x);
  check_modes("Y", y_shape.size(), modes.y);
  if (modes.x.size() != modes.y.size()) {
    throw apps::InputError("as many modes of X as of Y must be contracted, not " + std::to_string(modes.x.size()) +
                           " and " + std::to_string(modes.y.size()) + ". Correct the list of modes.");
  }
  // The shape of a tensor from a file is what its entries need: a contracted mode is as long as the longer of the two.
  std::vector<Index> extents;
  for (std::size_t i = 0; i < modes.x.size(); ++i) {
    extents.push_back(std::max(x_shape[modes.x[i]], y_shape[modes.y[i]]));
  }
  return {.x_free = free_key(x_shape, modes.x),
          .x_contract = KeyOf(modes.x, extents),
          .y_contract = KeyOf(modes.y, extents),
          .y_free = free_key(y_shape, modes.y)};
}

HashTableY::HashTableY(std::size_t entries, std::size_t keys)
    : heads("HtY.heads", buckets_for(keys)), nodes("HtY.nodes", keys), items("HtY.items", entries) {}

// At most half of the slots are in use: linear probing then needs less than three steps on average (Knuth, The Art of
// Computer Programming 3, section 6.4).
Accumulator::Accumulator(const std::string& name, std::size_t keys)
    : slots(name + ".slots", buckets_for(2 * keys)), touched(name + ".touched", keys) {}

void Accumulator::clear() {
  std::ranges::fill(slots, Item{no_key, 0.0});
  size_ = 0;
}

std::size_t Accumulator::drain(Item* to) {
  const std::size_t count = size_;
  for (std::size_t i = 0; i < count; ++i) {
    Item& slot = slots.data()[touched.data()[i]];
    to[i] = slot;
    slot.free = no_key;
  }
  size_ = 0;
  return count;
}

}  // namespace tensor
