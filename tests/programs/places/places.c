// places FORMAT: what OpenMP says about the place of thread 0, in C's and in Fortran's way.
// places processors: how many there are.
#include <omp.h>
#include <stdio.h>
#include <string.h>

extern size_t omp_capture_affinity_(char* buffer, const char* format, size_t bytes, size_t format_bytes);
extern int omp_get_num_procs_(void);
extern void omp_display_affinity_(const char* format, size_t format_bytes);

int main(int argc, char** argv) {
  char text[256] = "";
  char fortran[256] = "";
  double values[256];
  if (argc != 2) return 2;
#pragma omp parallel for
  for (int i = 0; i < 256; ++i) values[i] = i;
  if (strcmp(argv[1], "processors") == 0) {
    printf("%d %d\n", omp_get_num_procs(), omp_get_num_procs_());
    return 0;
  }
  size_t length = omp_capture_affinity(text, sizeof text, argv[1]);
  if (length != strlen(text)) return 1;
  omp_capture_affinity_(fortran, argv[1], sizeof fortran, strlen(argv[1]));
  printf("%s\n%.*s\n", text, (int)length, fortran);
  fflush(stdout);
  omp_display_affinity(argv[1]);
  omp_display_affinity_(argv[1], strlen(argv[1]));
  return values[255] == 255 ? 0 : 1;
}
