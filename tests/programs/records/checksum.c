#include "records.h"

uint64_t store_checksum(const struct store* store) {
  uint64_t sum = 0;
#pragma omp parallel for reduction(^ : sum) schedule(static, 128)
  for (size_t i = 0; i < store->count; ++i) sum ^= record_checksum(store->records[i]);
  return sum;
}
