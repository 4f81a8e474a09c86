// All constructs that OMPT has events of, in regions that are nested; 20 regions of three lanes that are not nested.
#include <omp.h>
#include <stdio.h>

static double data[300];
static int visits;

static void visit(void) {
#pragma omp atomic
  visits += 1;
}

static void locks(omp_lock_t* lock, omp_nest_lock_t* nest_lock) {
#pragma omp critical
  visit();
  omp_set_lock(lock);
  visit();
  omp_unset_lock(lock);
  omp_set_nest_lock(nest_lock);
  omp_set_nest_lock(nest_lock);
  visit();
  omp_unset_nest_lock(nest_lock);
  omp_unset_nest_lock(nest_lock);
}

static void tasks(void) {
#pragma omp single
  for (int i = 0; i < 4; ++i) {
#pragma omp task firstprivate(i)
    data[i] += 1;
  }
#pragma omp barrier
#pragma omp taskgroup
  {
#pragma omp task
    visit();
  }
}

static void nested(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp parallel num_threads(1)
    visit();
  }
}

int main(void) {
  omp_lock_t lock;
  omp_nest_lock_t nest_lock;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest_lock);
  omp_set_max_active_levels(3);
  long sum = 0;
  for (int repetition = 0; repetition < 10; ++repetition) {
#pragma omp parallel num_threads(3)
    {
#pragma omp for schedule(static)
      for (int i = 0; i < 300; ++i) data[i] += i;
      locks(&lock, &nest_lock);
      tasks();
#pragma omp masked
      visit();
      nested();
    }
#pragma omp parallel for reduction(+ : sum) num_threads(3)
    for (int i = 0; i < 100; ++i) sum += i;
  }
  printf("%d visits, sum %ld, tool %d\n", visits, sum, omp_control_tool(omp_control_tool_start, 0, NULL));
  return 0;
}
