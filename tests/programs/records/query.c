#include "records.h"

int in_group(const struct record* record, const void* group) { return record->group == *(const unsigned*)group; }
int heavier_than(const struct record* record, const void* weight) { return record->weight > *(const unsigned*)weight; }

int any_of(const struct record* record, const void* list) {
  for (const struct conditions* one = list; one->test != NULL; ++one)
    if (one->test(record, one->argument)) return 1;
  return 0;
}

static void add(struct aggregate* sum, const struct record* record) {
  sum->count += 1;
  sum->balance += record->balance;
  sum->weights += record->weight;
}

static struct aggregate join(struct aggregate a, struct aggregate b) {
  return (struct aggregate){a.count + b.count, a.balance + b.balance, a.weights + b.weights};
}

#pragma omp declare reduction(join : struct aggregate : omp_out = join(omp_out, omp_in)) \
    initializer(omp_priv = (struct aggregate){0, 0, 0})

struct aggregate query(const struct store* store, condition wanted, const void* argument) {
  struct aggregate sum = {0, 0, 0};
#pragma omp parallel for reduction(join : sum)
  for (size_t i = 0; i < store->count; ++i) {
    const struct record* record = store->records[i];
    if (!record->deleted && wanted(record, argument)) add(&sum, record);
  }
  return sum;
}

struct aggregate query_serially(const struct store* store, condition wanted, const void* argument) {
  struct aggregate sum = {0, 0, 0};
  for (size_t i = 0; i < store->count; ++i) {
    const struct record* record = store->records[i];
    if (!record->deleted && wanted(record, argument)) add(&sum, record);
  }
  return sum;
}
