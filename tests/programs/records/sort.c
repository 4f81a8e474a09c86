#include <stdlib.h>
#include <string.h>

#include "records.h"

#define RECORD(p) (*(const struct record* const*)(p))

static int by_number(const void* a, const void* b) {
  return (RECORD(a)->number > RECORD(b)->number) - (RECORD(a)->number < RECORD(b)->number);
}
static int by_text(const void* a, const void* b) {
  const int order = value_compare(&RECORD(a)->cells[2], &RECORD(b)->cells[2]);
  return order != 0 ? order : by_number(a, b);
}
static int by_balance(const void* a, const void* b) {
  const int order = RECORD(a)->balance - RECORD(b)->balance;
  return order != 0 ? order : by_number(a, b);
}

record_order order_named(const char* name) {
  static const struct {
    const char* name;
    record_order order;
  } orders[] = {{"number", by_number}, {"text", by_text}, {"balance", by_balance}};
  for (size_t i = 0; i < sizeof orders / sizeof *orders; ++i)
    if (strcmp(orders[i].name, name) == 0) return orders[i].order;
  return NULL;
}

static void merge(struct record** records, size_t middle, size_t count, record_order order) {
  struct record** left = malloc(middle * sizeof *left);
  if (left == NULL) abort();
  memcpy(left, records, middle * sizeof *left);
  size_t i = 0, j = middle, out = 0;
  while (i < middle && j < count) records[out++] = order(&left[i], &records[j]) <= 0 ? left[i++] : records[j++];
  memcpy(records + out, left + i, (middle - i) * sizeof *left);
  free(left);
}

static void sort_part(struct record** records, size_t count, record_order order) {
  if (count < 2000) {
    qsort(records, count, sizeof *records, order);
    return;
  }
  const size_t middle = count / 2;
#pragma omp task
  sort_part(records, middle, order);
  sort_part(records + middle, count - middle, order);
#pragma omp taskwait
  merge(records, middle, count, order);
}

void sort_records(struct record** records, size_t count, record_order order) {
#pragma omp parallel
#pragma omp single
  sort_part(records, count, order);
}

int is_sorted(struct record* const* records, size_t count, record_order order) {
  for (size_t i = 1; i < count; ++i)
    if (order(&records[i - 1], &records[i]) > 0) return 0;
  return 1;
}
