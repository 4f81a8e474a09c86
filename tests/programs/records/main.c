/* records [COUNT]: fills a table, looks records up, queries and sorts it, and checks every answer. */
#include <stdio.h>
#include <stdlib.h>

#include "records.h"

static int failures = 0;

static void check(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "records: wrong: %s\n", what);
#pragma omp atomic
  ++failures;
}

/* Looks up numbers that are there and some that are not; leaves deep recursion by longjmp at the first of those. */
static size_t look_up_chain(const struct store* store, uint32_t number, struct attempt* attempt) {
  const struct record* record = index_find(store, number);
  if (record == NULL) fail(attempt, "no record %u among %zu", (unsigned)number, store->count);
  if (record->number != number) return 0; /* the index is broken */
  return 1 + look_up_chain(store, number + 1 + record->group, attempt);
}

static void look_up(const struct store* store) {
  long found = 0, left = 0;
#pragma omp parallel for reduction(+ : found, left) schedule(dynamic, 16)
  for (uint32_t i = 0; i < 256; ++i) {
    struct attempt attempt;
    if (setjmp(attempt.where) == 0)
      found += (long)look_up_chain(store, (uint32_t)store->count - 500 + i, &attempt);
    else
      ++left;
  }
  for (uint32_t i = 0; i < store->count; i += 7) check(index_find(store, i) == store->records[i], "look-up");
  check(left == 256 && found == 0, "longjmp");
  struct attempt attempt;
  if (setjmp(attempt.where) == 0) look_up_chain(store, (uint32_t)store->count, &attempt);
  log_line("%s", attempt.message);
}

static void ask(const struct store* store) {
  const unsigned group = 42, weight = 3000;
  const struct conditions either[] = {{in_group, &group}, {heavier_than, &weight}, {NULL, NULL}};
  const struct {
    const char* name;
    condition test;
    const void* argument;
  } questions[] = {{"group", in_group, &group}, {"heavy", heavier_than, &weight}, {"either", any_of, either}};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; ++i) {
    const struct aggregate all = query(store, questions[i].test, questions[i].argument);
    const struct aggregate serial = query_serially(store, questions[i].test, questions[i].argument);
    check(all.count == serial.count && all.balance == serial.balance && all.weights == serial.weights,
          questions[i].name);
    log_line("query %s", questions[i].name);
    log_values(3, "count", (long long)all.count, "balance", (long long)all.balance, "weights", (long long)all.weights);
  }
}

static void sort_all(struct store* store) {
  const uint64_t before = store_checksum(store);
  const char* names[] = {"text", "balance", "number"};
  for (int i = 0; i < 3; ++i) {
    record_order order = order_named(names[i]);
    check(order != NULL, names[i]);
    sort_records(store->records, store->count, order);
    check(is_sorted(store->records, store->count, order), names[i]);
    log_line("by %s: first %u, last %u", names[i], store->records[0]->number, store->records[store->count - 1]->number);
  }
  check(order_named("colour") == NULL, "an order that does not exist");
  check(store_checksum(store) == before, "checksum after sorting");
  log_line("checksum %016llx", (unsigned long long)before);
}

int main(int argc, char** argv) {
  struct store store;
  store_open(&store, argc > 1 ? strtoul(argv[1], NULL, 10) : 30000);
  store_index(&store);
  look_up(&store);
  ask(&store);
  sort_all(&store);
  store_close(&store);
  puts(failures == 0 ? "verified" : "FAILED");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
