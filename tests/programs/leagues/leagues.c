/* Leagues (teams) on the host, as programs have them that also run on devices. */
#include <omp.h>
#include <stdio.h>

enum { n = 4096 };
static int a[n], b[n];

static long of_one_team(void) {
  long sum = 0;
#pragma omp teams distribute reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += a[i];
  return sum;
}

static long of_several_teams(int teams) {
  long sum = 0;
#pragma omp teams num_teams(teams) reduction(+ : sum)
  {
#pragma omp distribute
    for (int i = 0; i < n; ++i) sum += a[i];
  }
  return sum;
}

static long with_regions(int teams) {
  long sum = 0;
#pragma omp teams distribute parallel for num_teams(teams) thread_limit(2) reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += a[i] + (omp_get_num_teams() > teams);
  return sum;
}

static long on_the_device(void) {
  long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
  for (int i = 0; i < n; ++i) sum += a[i];
  return sum;
}

static long region(void) {
  long sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < n; ++i) sum += b[i] = a[i];
  return sum;
}

int main(void) {
  for (int i = 0; i < n; ++i) a[i] = i & 7;
  const long wanted = region();
  const long found[] = {of_one_team(),   of_several_teams(1), region(),        of_several_teams(2), of_several_teams(3),
                        with_regions(1), with_regions(2),     on_the_device(), of_one_team(),       region()};
  int wrong = 0;
  for (unsigned i = 0; i < sizeof(found) / sizeof(*found); ++i) wrong += found[i] != wanted;
  printf("%d wrong\n%s", wrong, wrong ? "" : "verified\n");
  return wrong;
}
