// Explicit tasks in real time: a task of 40 ms that waits for another one of 200 ms, and a taskloop of 80 ms. Two
// threads execute them where they wait for a single construct's end.
#include <omp.h>

#include <chrono>
#include <cstdio>

namespace {

void work(int milliseconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
  while (std::chrono::steady_clock::now() < end) {}
}

}  // namespace

int main() {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      work(20);
#pragma omp task
      work(200);
#pragma omp taskwait
      work(20);
    }
#pragma omp taskloop num_tasks(4)
    for (int i = 0; i < 4; ++i) work(20);
  }
  std::puts("done");
}
