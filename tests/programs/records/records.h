/* records: a small table of records in memory, with an index, queries and sorting. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

/* value.c: one cell */
enum kind { KIND_INTEGER, KIND_REAL, KIND_TEXT };
struct value {
  union {
    int64_t integer;
    double real;
    char text[8];
  } as;
  uint8_t kind;
};
struct value value_integer(int64_t integer);
struct value value_real(double real);
struct value value_text(const char* text);
int value_compare(const struct value* a, const struct value* b);
uint64_t value_bits(const struct value* value);

/* record.c */
struct record {
  uint32_t number;
  unsigned deleted : 1;
  unsigned group : 7;
  unsigned weight : 12;
  signed balance : 12;
  struct value cells[3];
  struct record* next; /* of the same hash */
};
void record_fill(struct record* record, uint32_t number);
uint64_t record_checksum(const struct record* record);

/* arena.c: memory that is given back all at once */
struct arena {
  struct arena_block* blocks;
  size_t used;
};
void* arena_take(struct arena* arena, size_t bytes);
void arena_drop(struct arena* arena);

/* store.c: the table */
struct store {
  struct arena arena;
  struct record** records;
  size_t count;
  struct record** buckets;
  size_t bucket_count;
};
void store_open(struct store* store, size_t count);
void store_close(struct store* store);
void store_index(struct store* store);

/* index.c, hash.c */
uint64_t hash(uint64_t key);
struct record* index_find(const struct store* store, uint32_t number);

/* sort.c: orders by name */
typedef int (*record_order)(const void*, const void*);
record_order order_named(const char* name);
void sort_records(struct record** records, size_t count, record_order order);
int is_sorted(struct record* const* records, size_t count, record_order order);

/* query.c */
typedef int (*condition)(const struct record* record, const void* argument);
struct aggregate {
  uint64_t count;
  int64_t balance;
  uint64_t weights;
};
struct aggregate query(const struct store* store, condition wanted, const void* argument);
struct aggregate query_serially(const struct store* store, condition wanted, const void* argument);
int in_group(const struct record* record, const void* group);
int heavier_than(const struct record* record, const void* weight);
int any_of(const struct record* record, const void* list); /* struct conditions, ended by a null */
struct conditions {
  condition test;
  const void* argument;
};

/* checksum.c */
uint64_t store_checksum(const struct store* store);

/* error.c: leave what is being done */
struct attempt {
  jmp_buf where;
  char message[96];
};
void fail(struct attempt* attempt, const char* format, ...);

/* log.c */
void log_line(const char* format, ...);
void log_values(int count, ...); /* pairs: const char* name, long long value */
