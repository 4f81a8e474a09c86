// From the N-th round on the process may map no more memory, and what it has is taken. Tasks with and without
// dependences, task loops, ordered loops, doacross loops, locks, threads that touch much memory: their results are
// checked.
#include <omp.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <vector>

static void* volatile last;

/// All but what libomp may need for itself, a pool of 1 MiB for each thread that creates tasks: without it libomp ends
/// the program.
static void take_all_memory() {
  void* kept[256];
  for (void*& block : kept) block = std::malloc(1 << 14);
  const rlimit limit{1 << 20, 1 << 20};
  setrlimit(RLIMIT_AS, &limit);
  for (std::size_t bytes = 1 << 16; bytes > 4096; bytes /= 2)
    while ((last = std::malloc(bytes)) != nullptr) {}
  for (void* block : kept) std::free(block);
}

static constexpr int size = 1 << 21;
static double data[size];  // more pages than are known before the memory is gone
static int bad = 0;

static void expect(bool right, const char* what) {
  if (right) return;
  ++bad;
  std::printf("%s\n", what);
}

static int chained() {
  int value = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int i = 1; i <= 50; ++i) {
#pragma omp task depend(inout : value) firstprivate(i)
    value = value * 3 % 1009 + i;
  }
  return value;
}

static int by_tasks() {
  std::atomic<int> count{0};
#pragma omp parallel num_threads(3)
  {
#pragma omp single nowait
    for (int i = 0; i < 300; ++i) {
#pragma omp task
      ++count;
    }
#pragma omp taskwait
#pragma omp single
#pragma omp taskloop num_tasks(40)
    for (int i = 0; i < 400; ++i) ++count;
  }
  return count;
}

static int in_order() {
  int value = 0;
#pragma omp parallel for ordered schedule(dynamic, 1) num_threads(3)
  for (int i = 1; i <= 60; ++i) {
#pragma omp ordered
    value = value * 3 % 1009 + i;
  }
  return value;
}

static double doacross() {
  static double cells[200];
  std::fill(std::begin(cells), std::end(cells), 1.0);
#pragma omp parallel for ordered(1) schedule(static, 1) num_threads(3)
  for (int i = 1; i < 200; ++i) {
#pragma omp ordered depend(sink : i - 1)
    cells[i] += cells[i - 1];
#pragma omp ordered depend(source)
  }
  return cells[199];
}

static double sweep(int from, int to) {
  double sum = 0;
#pragma omp parallel for num_threads(3) reduction(+ : sum)
  for (int i = from; i < to; ++i) sum += ++data[i];
  return sum;
}

int main(int, char** arguments) {
  const int round_without = std::atoi(arguments[1]);
  constexpr int rounds = 8;
  constexpr int part = size / rounds;
  const int chain = chained(), order = in_order();
  for (int round = 0; round < rounds; ++round) {
    if (round == round_without) take_all_memory();
    expect(sweep(round * part, (round + 1) * part) == part, "sweep");
    expect(by_tasks() == 700, "tasks");
    expect(chained() == chain, "dependences");
    expect(in_order() == order, "ordered");
    expect(doacross() == 200, "doacross");
  }
  std::printf("bad %d\n", bad);
  std::fflush(stdout);
  return bad == 0 ? 5 : 1;
}
