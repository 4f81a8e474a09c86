#include <string.h>

#include "records.h"

struct value value_integer(int64_t integer) {
  struct value value = {.kind = KIND_INTEGER};
  value.as.integer = integer;
  return value;
}

struct value value_real(double real) {
  struct value value = {.kind = KIND_REAL};
  value.as.real = real;
  return value;
}

struct value value_text(const char* text) {
  struct value value = {.kind = KIND_TEXT};
  size_t length = strlen(text);
  memset(value.as.text, 0, sizeof value.as.text);
  memcpy(value.as.text, text, length < sizeof value.as.text ? length : sizeof value.as.text);
  return value;
}

static int compare_integers(const struct value* a, const struct value* b) {
  return (a->as.integer > b->as.integer) - (a->as.integer < b->as.integer);
}
static int compare_reals(const struct value* a, const struct value* b) {
  return (a->as.real > b->as.real) - (a->as.real < b->as.real);
}
static int compare_texts(const struct value* a, const struct value* b) {
  return strncmp(a->as.text, b->as.text, sizeof a->as.text);
}

int value_compare(const struct value* a, const struct value* b) {
  static int (*const by_kind[])(const struct value*, const struct value*) = {compare_integers, compare_reals,
                                                                             compare_texts};
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  return by_kind[a->kind](a, b);
}

uint64_t value_bits(const struct value* value) {
  uint64_t bits;
  memcpy(&bits, &value->as, sizeof bits);
  return bits;
}
