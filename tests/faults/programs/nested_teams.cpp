// Teams in teams, leagues, a cancelled loop and target regions on the host; plans in the inner ones.
#include <cstdio>

#include "tests/faults/programs/program.h"

namespace {

int nested(const faults::Array& array) {
  omp_set_max_active_levels(3);
  int members = 0;
#pragma omp parallel num_threads(3) reduction(+ : members)
  {
#pragma omp parallel num_threads(2) reduction(+ : members)
    {
      faults::add_one(faults::Array(256));
      ++members;
    }
  }
  faults::add_one(array);
  return members;
}

int league() {
  int members = 0;
#pragma omp teams num_teams(4) thread_limit(2) reduction(+ : members)
  {
#pragma omp parallel num_threads(1) reduction(+ : members)
    ++members;
  }
  return members > 0;
}

int cancelled() {
  int executed = 0;
#pragma omp parallel for num_threads(3) reduction(+ : executed)
  for (int i = 0; i < 1000; ++i) {
#pragma omp cancel for if (i == 500)
    ++executed;
  }
  return executed > 0;
}

int target() {
  int value = 0;
#pragma omp target map(tofrom : value)
  value = 5;
  return value;
}

}  // namespace

int main() {
  const faults::Array array(1 << 12);
  std::printf("members %d, league %d, cancelled %d, target %d\n", nested(array), league(), cancelled(), target());
  std::printf("sum %.0f\n", array.sum());
  return faults::finish();
}
