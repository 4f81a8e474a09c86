/* A program for the command to run. It is built with and without the plugin's section, with and without OpenMP.
 * Its first argument says what it does beside printing. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef WITH_SECTION /* the version of the plugin */
__attribute__((section(".lbhm.module"), used)) static const unsigned module[4] = {WITH_SECTION, 0, 0, 0};
#endif
#ifdef WITH_PATTERNS /* of the plugin that only looks */
__attribute__((section("lbhm_patterns"), used)) static const char patterns[] = "{}";
#endif
#ifdef WITH_OTHER_SECTION
__attribute__((section(".lbhm.module"), used)) static const unsigned other[4] = {WITH_OTHER_SECTION, 0, 0, 0};
#endif

/* A time by the policy and the machine, as programs print them; a machine that the command slowed down is a path. */
static double clocked(const char* policy) {
  const double slower = strchr(getenv("LBHM_MACHINE"), '/') ? 3.0 : 1.0;
  return slower * (strcmp(policy, "slow-only") == 0 ? 1.25 : strcmp(policy, "lbhm") == 0 ? 0.98e-3 : 0.5);
}

/* With times: argv says under which policy the result is another one, and what the status is. */
static int timed(int argc, char** argv, const char* policy) {
  const double seconds = clocked(policy);
  printf(seconds < 1e-2 ? "took %.0f us\n" : "took   %.2f s\n", seconds < 1e-2 ? seconds * 1e6 : seconds);
  printf("sum %d of 7 rows, %.1f GB/s\n", argc > 2 && strcmp(policy, argv[2]) == 0 ? 8 : 42, 3 / seconds);
  return argc > 3 ? atoi(argv[3]) : 0;
}

int main(int argc, char** argv) {
  const char* what = argc > 1 ? argv[1] : "";
  const char* policy = getenv("LBHM_POLICY");
  printf("hello\n");
  if (strcmp(what, "fail") == 0) {
    fprintf(stderr, "program: matrix.mtx: no such file\n");
    return 3;
  }
  if (strcmp(what, "crash") == 0) raise(SIGSEGV);
  if (strcmp(what, "differ") == 0) {
    printf("checksum: %s\n", policy);
    return 0;
  }
  if (strcmp(what, "copy") == 0)
    for (int c; (c = getchar()) != EOF;) putchar(c);
  if (strcmp(what, "one-line") == 0) { /* and no byte more, as shells read */
    printf("line: ");
    for (char c = 0; c != '\n' && read(0, &c, 1) == 1;) putchar(c);
  }
  if (strcmp(what, "times") == 0) return timed(argc, argv, policy);
  if (strcmp(what, "ratio") == 0) { /* of two times, which a slower machine alone stretches alike */
    const double uneven = getenv("LBHM_OTHER_CLOCK") ? 1.3 : 1.0;
    printf("speed-up %.2f\n", clocked(policy) / (clocked("first-touch") * uneven));
    return 0;
  }
  if (strcmp(what, "crash-under") == 0 && strcmp(policy, argv[2]) == 0) raise(SIGSEGV);
  if (strcmp(what, "threads") == 0) printf("threads %s\n", getenv("OMP_NUM_THREADS"));
  if (strcmp(what, "sleep") == 0) {
    FILE* file = fopen(argv[2], "w");
    fprintf(file, "%d\n", (int)getpid());
    fclose(file);
    sleep(60);
  }
  printf("checksum: 0123456789abcdef\n");
  return 0;
}
