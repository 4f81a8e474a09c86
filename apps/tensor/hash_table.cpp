#include "apps/tensor/hash_table.h"

#include <algorithm>

namespace tensor {

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
