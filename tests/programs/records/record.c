#include "records.h"

#include <stdio.h>

void record_fill(struct record* record, uint32_t number) {
  const uint64_t random = hash(number);
  char name[16];
  snprintf(name, sizeof name, "n%05u", (unsigned)(random % 100000));
  record->number = number;
  record->deleted = random % 17 == 0;
  record->group = (random >> 8) & 127;
  record->weight = (random >> 16) & 4095;
  record->balance = (int)((random >> 32) & 4095) - 2048;
  record->cells[0] = value_integer((int64_t)(random >> 20));
  record->cells[1] = value_real((double)(random % 1000) / 8);
  record->cells[2] = value_text(name);
  record->next = NULL;
}

uint64_t record_checksum(const struct record* record) {
  uint64_t sum = hash(record->number * 2 + record->deleted);
  sum = hash(sum + record->group * 4096u + record->weight);
  sum = hash(sum + (uint64_t)(int64_t)record->balance);
  for (int i = 0; i < 3; ++i) sum = hash(sum ^ value_bits(&record->cells[i]));
  return sum;
}
