#include "records.h"

struct record* index_find(const struct store* store, uint32_t number) {
  struct record* record = store->buckets[hash(number) % store->bucket_count];
  while (record != NULL && record->number != number) record = record->next;
  return record;
}
