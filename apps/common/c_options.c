#include "apps/common/c_options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { HELP_ASKED = 0, BAD = 2, MOST = 16 };

static void print_help(const char* program, const char* does, const CNumberOption* options, int size) {
  printf("%s: %s\n\n", program, does);
  for (int i = 0; i < size; ++i) {
    printf("  --%-10s N  %s (%" PRIu64 ")\n", options[i].name, options[i].meaning, *options[i].value);
  }
  printf("\nExit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.\n");
}

/* 0 unless the text is a whole number in the option's bounds. */
static int read_number(const char* program, const char* text, const CNumberOption* option) {
  char* end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && value >= option->least &&
      value <= option->most) {
    *option->value = value;
    return 1;
  }
  fprintf(stderr, "%s: --%s: '%s' must be a whole number from %" PRIu64 " to %" PRIu64 ". See --help.\n", program,
          option->name, text, option->least, option->most);
  return 0;
}

int read_number_options(int argc, char** argv, const char* program, const char* does, const CNumberOption* options,
                        int size) {
  struct option known[MOST + 2] = {{0}};
  for (int i = 0; i < size; ++i) known[i] = (struct option){options[i].name, required_argument, NULL, 0};
  known[size] = (struct option){"help", no_argument, NULL, 0};
  opterr = 0;
  for (;;) {
    const int at = optind;
    int which = 0;
    const int found = getopt_long(argc, argv, "+:", known, &which);
    if (found == -1) break;
    if (found != 0) {
      fprintf(stderr,
              found == ':' ? "%s: %s: a value must follow. See --help.\n" : "%s: unknown option '%s'. See --help.\n",
              program, argv[at]);
      return BAD;
    }
    if (which == size) {
      print_help(program, does, options, size);
      return HELP_ASKED;
    }
    if (!read_number(program, optarg, &options[which])) return BAD;
  }
  if (optind == argc) return -1;
  fprintf(stderr, "%s: unknown option '%s'. See --help.\n", program, argv[optind]);
  return BAD;
}
