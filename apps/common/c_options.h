/* Options of the programs in C: whole numbers alone, as number_options has them for C++. */
#pragma once

#include <stdint.h>

typedef struct {
  const char* name; /* without its dashes */
  uint64_t least, most;
  uint64_t* value; /* what it points to is the default */
  const char* meaning;
} CNumberOption;

/* Reads these options and --help. -1: go on. Otherwise the program is to end with this status, for the help was asked
 * for (0), or an option is bad (2), which the standard error says. At most 16 options. */
int read_number_options(int argc, char** argv, const char* program, const char* does, const CNumberOption* options,
                        int size);
