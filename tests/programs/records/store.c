#include <stdlib.h>

#include "records.h"

void store_open(struct store* store, size_t count) {
  store->arena = (struct arena){0};
  store->count = count;
  store->records = malloc(count * sizeof *store->records);
  store->bucket_count = count / 2 + 1;
  store->buckets = calloc(store->bucket_count, sizeof *store->buckets);
  if (store->records == NULL || store->buckets == NULL) abort();
  for (size_t i = 0; i < count; ++i) store->records[i] = arena_take(&store->arena, sizeof(struct record));
#pragma omp parallel for schedule(guided)
  for (size_t i = 0; i < count; ++i) record_fill(store->records[i], (uint32_t)i);
}

void store_close(struct store* store) {
  free(store->buckets);
  free(store->records);
  arena_drop(&store->arena);
}

void store_index(struct store* store) {
  for (size_t i = store->count; i-- > 0;) {
    struct record* record = store->records[i];
    struct record** bucket = &store->buckets[hash(record->number) % store->bucket_count];
    record->next = *bucket;
    *bucket = record;
  }
}
