/* jobs: computes in children (fork, exec, popen, system) before, between and after parallel regions of its own.
 * jobs sum FROM TO: what it starts itself as. */
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { cells = 1 << 16, children = 3 };

static int failures = 0;
static const char* own_file;

static void check(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "jobs: wrong: %s\n", what);
  ++failures;
}

static uint64_t sum_of_squares(uint64_t from, uint64_t to) {
  uint64_t sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (uint64_t i = from; i < to; ++i) sum += i * i;
  return sum;
}

static uint64_t sum_serially(const uint64_t* values, size_t count) {
  uint64_t sum = 0;
  for (size_t i = 0; i < count; ++i) sum += values[i];
  return sum;
}

static int status_of(pid_t child) {
  int status = 0;
  pid_t ended;
  do ended = waitpid(child, &status, 0);
  while (ended < 0 && errno == EINTR);
  return ended == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Children change their copy of the data and answer through a pipe; the parent's copy stays as it was. */
static void computing_children(uint64_t* values) {
  int ends[children][2];
  pid_t child[children];
  for (int i = 0; i < children; ++i) {
    if (pipe(ends[i]) != 0) abort();
    child[i] = fork();
    if (child[i] != 0) continue;
    for (size_t k = 0; k < cells; ++k) values[k] += (uint64_t)i + 1;
    const uint64_t sum = sum_serially(values, cells);
    _exit(write(ends[i][1], &sum, sizeof sum) == sizeof sum ? 10 + i : 1);
  }
  const uint64_t own = sum_of_squares(0, cells);
  check(own == sum_serially(values, cells), "the parent's data");
  for (int i = 0; i < children; ++i) {
    uint64_t answer = 0;
    check(read(ends[i][0], &answer, sizeof answer) == sizeof answer, "answer of a child");
    check(status_of(child[i]) == 10 + i, "status of a child");
    check(answer == own + (uint64_t)(i + 1) * cells, "sum of a child");
    printf("child %d: %llu\n", i, (unsigned long long)answer);
    close(ends[i][0]);
    close(ends[i][1]);
  }
}

static void executed_child(void) {
  fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    execl(own_file, own_file, "sum", "10", "20", (char*)NULL);
    _exit(127);
  }
  check(status_of(child) == 0, "status of the program that was executed");
  const pid_t absent = fork();
  if (absent == 0) {
    execl("/nowhere/program", "program", (char*)NULL);
    _exit(127);
  }
  check(status_of(absent) == 127, "status of a program that does not exist");
}

static void shells(void) {
  char command[4200];
  snprintf(command, sizeof command, "'%s' sum 0 1000", own_file);
  FILE* pipe = popen(command, "r");
  unsigned long long answer = 0;
  check(pipe != NULL && fscanf(pipe, "sum %llu", &answer) == 1, "answer through popen");
  check(pipe != NULL && pclose(pipe) == 0, "status of popen");
  check(answer == sum_of_squares(0, 1000), "sum through popen");
  fflush(stdout);
  check(system("exit 7") == 7 << 8, "status of system");
  check(system("echo from the shell") == 0, "system");
}

/* Memory that parent and child share. */
static void shared_memory(void) {
  uint64_t* shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) abort();
  const pid_t child = fork();
  if (child == 0) {
    for (int i = 0; i < 512; ++i) shared[i] = (uint64_t)i * 3;
    _exit(0);
  }
  check(status_of(child) == 0, "status of the child with shared memory");
  check(sum_serially(shared, 512) == 3 * 511 * 512 / 2, "shared memory");
  munmap(shared, 4096);
}

int main(int argc, char** argv) {
  own_file = argv[0];
  if (argc == 4 && strcmp(argv[1], "sum") == 0) {
    printf("sum %llu\n", (unsigned long long)sum_of_squares(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10)));
    return EXIT_SUCCESS;
  }
  uint64_t* values = malloc(cells * sizeof *values);
  if (values == NULL) abort();
#pragma omp parallel for
  for (size_t i = 0; i < cells; ++i) values[i] = i * i;
  computing_children(values);
  executed_child();
  shells();
  shared_memory();
  check(sum_of_squares(0, cells) == sum_serially(values, cells), "after all children");
  free(values);
  puts(failures == 0 ? "verified" : "FAILED");
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
