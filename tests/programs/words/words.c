// words ...: what lies behind argv, and whether another name can be written over the program's. As the ABI of the
// processor has it: the environment behind the arguments, the auxiliary vector behind that, all texts in one piece.
// words count ...: reads the arguments, and nothing else of these.
#define _GNU_SOURCE
#include <elf.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

static void show(const char* file) {
  char text[4096];
  FILE* const open = fopen(file, "r");
  const size_t bytes = fread(text, 1, sizeof text, open);
  fclose(open);
  for (size_t i = 0; i < bytes; ++i) putchar(text[i] ? text[i] : ' ');
  putchar('\n');
}

/// Of both vectors.
static int in_one_piece(char** words, char** environment_end) {
  const char* next = words[0];
  for (char** word = words; word < environment_end; ++word) {
    if (*word == NULL) continue;  // between the two
    if (*word != next) return 0;
    next += strlen(next) + 1;
  }
  return 1;
}

static void behind(int argc, char** argv, char** third) {
  char** variables = argv + argc + 1;
  printf("environ %d third %d\n", environ == variables, third == variables);
  while (*variables) ++variables;
  printf("one piece %d\n", in_one_piece(argv, variables));
  for (const Elf64_auxv_t* entry = (Elf64_auxv_t*)(variables + 1); entry->a_type != AT_NULL; ++entry) {
    if (entry->a_type == AT_PAGESZ || entry->a_type == AT_RANDOM)
      printf("entry %lu %d\n", entry->a_type, getauxval(entry->a_type) == entry->a_un.a_val);
  }
}

int main(int argc, char** argv, char** third) {
  unsigned sum = 0;
  const int count = argc > 1 && strcmp(argv[1], "count") == 0;
  if (!count) behind(argc, argv, third);
#pragma omp parallel for reduction(+ : sum)
  for (int i = 1; i < argc; ++i) {
    for (const char* at = argv[i]; *at; ++at) sum += (unsigned char)*at;
  }
  printf("%u\n", sum);
  if (count) return 0;
  behind(argc, argv, third);  // the OpenMP runtime has looked at the environment
  memset(argv[0], 'x', strlen(argv[0]));
  show("/proc/self/cmdline");
  return 0;
}
