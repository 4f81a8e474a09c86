// Forks while other threads run planned regions; each child runs one of its own.
#include <atomic>
#include <cstdlib>
#include <thread>

#include "tests/faults/programs/children.h"
#include "tests/faults/programs/program.h"

namespace {

bool team_of_two() {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  ++members;
  return members == 2;
}

}  // namespace

int main(int argc, char** argv) {
  const int forks = argc > 1 ? std::atoi(argv[1]) : 100;
  const faults::Array array(1 << 12);
  team_of_two();  // libomp alone hangs in a child that is forked while it starts
  std::atomic<bool> stop{false};
  const auto until_stopped = [&] {
    while (!stop) {
      faults::plan(array);
      team_of_two();
    }
  };
  std::thread first(until_stopped), second(until_stopped);
  faults::Children children;
  for (int i = 0; i < forks && children.all_well(); ++i) children.fork_one(team_of_two);
  stop = true;
  first.join();
  second.join();
  children.print();
  return faults::finish();
}
