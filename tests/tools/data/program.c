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
#ifdef WITH_OTHER_SECTION
__attribute__((section(".lbhm.module"), used)) static const unsigned other[4] = {WITH_OTHER_SECTION, 0, 0, 0};
#endif

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
