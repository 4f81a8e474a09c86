/* Macroscopic cross sections of materials, looked up on a unionised energy grid by the histories of neutrons: where
 * Monte Carlo transport codes spend their time. An ordinary OpenMP program. */
#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "apps/xs/xs.h"

enum { GOOD, WRONG, BAD_OPTION, SAMPLES = 1000 };

typedef struct {
  const char* name;
  uint64_t least, most;
  uint64_t* value;
  const char* meaning;
} Number;

static void print_help(const Number* numbers, int size) {
  printf("xs: looks up macroscopic cross sections on a unionised energy grid\n\n");
  for (int i = 0; i < size; ++i) {
    printf("  --%-10s N  %s (%" PRIu64 ")\n", numbers[i].name, numbers[i].meaning, *numbers[i].value);
  }
  printf("\nExit status: 0 verified, 1 wrong result or not enough memory, 2 bad option.\n");
}

/* 0 unless the text is a whole number in the option's bounds. */
static int read_number(const char* text, const Number* number) {
  char* end = NULL;
  errno = 0;
  const unsigned long long value = strtoull(text, &end, 10);
  if (isdigit((unsigned char)text[0]) && *end == '\0' && errno == 0 && value >= number->least &&
      value <= number->most) {
    *number->value = value;
    return 1;
  }
  fprintf(stderr, "xs: --%s: '%s' must be a whole number from %" PRIu64 " to %" PRIu64 ". See --help.\n", number->name,
          text, number->least, number->most);
  return 0;
}

/* -1 to go on, or the status to end with. */
static int read_options(int argc, char** argv, Options* options) {
  const Number numbers[] = {
      {"nuclides", 2, 10000, &options->nuclides, "nuclides"},
      {"points", 16, 10000000, &options->points, "energies in the grid of each nuclide"},
      {"histories", 1, 1000000000, &options->histories, "neutrons to follow, about 14 look-ups each"},
      {"seed", 0, UINT32_MAX, &options->seed, "of nuclides, materials and histories"},
      {"threads", 1, 1024, &options->threads, "threads"},
  };
  enum { NUMBERS = sizeof numbers / sizeof *numbers, HELP = NUMBERS };
  struct option known[NUMBERS + 2] = {{0}};
  for (int i = 0; i < NUMBERS; ++i) known[i] = (struct option){numbers[i].name, required_argument, NULL, 0};
  known[HELP] = (struct option){"help", no_argument, NULL, 0};
  opterr = 0;
  for (;;) {
    const int at = optind;
    int which = 0;
    const int found = getopt_long(argc, argv, "+:", known, &which);
    if (found == -1) break;
    if (found == ':') {
      fprintf(stderr, "xs: %s: a value must follow. See --help.\n", argv[at]);
      return BAD_OPTION;
    }
    if (found != 0) {
      fprintf(stderr, "xs: unknown option '%s'. See --help.\n", argv[at]);
      return BAD_OPTION;
    }
    if (which == HELP) {
      print_help(numbers, NUMBERS);
      return GOOD;
    }
    if (!read_number(optarg, &numbers[which])) return BAD_OPTION;
  }
  if (optind == argc) return -1;
  fprintf(stderr, "xs: unknown option '%s'. See --help.\n", argv[optind]);
  return BAD_OPTION;
}

static double mebibytes(size_t bytes) { return (double)bytes / (1 << 20); }

static int run(const Options* options) {
  Model model;
  if (!make_model(&model, options)) {
    fprintf(stderr, "xs: not enough memory. Use fewer --nuclides or --points.\n");
    return WRONG;
  }
  printf("Cross sections: %zu nuclides of %zu points, %d materials, %" PRIu64 " histories\n", model.nuclides,
         model.points, MATERIALS, options->histories);
  printf("grids %.1f MiB, unionised energies %.1f MiB, their index %.1f MiB\n",
         mebibytes(model.unionised * sizeof(GridPoint)), mebibytes(model.unionised * sizeof(double)),
         mebibytes(model.unionised * model.nuclides * sizeof(int32_t)));
  const Tally tally = follow_histories(&model, options);
  const size_t wrong = wrong_samples(&model, options->seed, SAMPLES);
  const int verified = tally.mistakes == 0 && wrong == 0;
  printf("look-ups: %" PRIu64 ", wrong: %" PRIu64 "\n", tally.lookups, tally.mistakes);
  printf("samples: %d, off the analytic function: %zu\n", SAMPLES, wrong);
  printf("verified: %s\nchecksum: 0x%016" PRIx64 "\n", verified ? "yes" : "NO", tally.checksum);
  free_model(&model);
  if (!verified) fprintf(stderr, "xs: cross sections are not those of the nuclides.\n");
  return verified ? GOOD : WRONG;
}

int main(int argc, char** argv) {
  Options options = {64, 2000, 80000, 1, (uint64_t)omp_get_max_threads()};
  const int status = read_options(argc, argv, &options);
  if (status != -1) return status;
  omp_set_num_threads((int)options.threads);
  return run(&options);
}
