// Forks while other threads are in parallel regions; every child runs on: instrumented code, memory of the parent's,
// regions, tasks, threads of its own, and an end of its own. Counts the children that ended otherwise.
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

static std::atomic<bool> stop{false};
static constexpr int size = 1 << 14;

static std::atomic<long> regions_seen{0};
static double shared_sum = 0;

static void regions() {
  while (!stop) {
    double sum = 0;
#pragma omp parallel num_threads(2) reduction(+ : sum)
    {
      for (int i = 0; i < 100; ++i) sum += i;
#pragma omp task
      regions_seen += 1;
#pragma omp critical
      shared_sum += 1;
    }
  }
}

static int all_of_openmp() {
  int lanes = 0, tasks = 0;
#pragma omp parallel num_threads(2) reduction(+ : lanes)
  {
    ++lanes;
#pragma omp single
    for (int i = 0; i < 20; ++i) {
#pragma omp task depend(inout : tasks)
      ++tasks;
    }
  }
  return lanes == 2 && tasks == 20 ? 0 : 1;
}

static double sum_of(const double* values) {
  double sum = 0;
  for (int i = 0; i < size; ++i) sum += values[i];
  return sum;
}

/// The child's life. `managed` is the parent's.
static int live(double* managed, bool openmp) {
  int bad = sum_of(managed) == size ? 0 : 2;
  for (int i = 0; i < size; ++i) managed[i] += 1;
  omp_free(managed, omp_null_allocator);
  auto* own = static_cast<double*>(omp_alloc(size * sizeof(double), omp_default_mem_alloc));
  for (int i = 0; i < size; ++i) own[i] = 1;
  if (sum_of(own) != size) bad |= 4;
  omp_free(own, omp_null_allocator);
  if (openmp) bad |= all_of_openmp();
  std::thread([&] {
    std::vector<double> more(size, 1.0);
    if (sum_of(more.data()) != size) bad |= 8;
  }).join();
  return bad;
}

static void end(int way, int status) {
  if (way == 0) _exit(status);
  if (way == 1) std::exit(status);
  if (way == 2 && status == 0) execl("/bin/true", "true", nullptr);
  if (way == 3) std::quick_exit(status);
  _exit(status);
}

static int fork_once(double* managed, int number, bool openmp) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    end(number % 4, live(managed, openmp));
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status)) std::printf("child %d: signal %d\n", number, WTERMSIG(status));
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) std::printf("child %d: status %d\n", number, WEXITSTATUS(status));
  std::fflush(stdout);  // or the next child says it again
  return status != 0;
}

int main(int, char** arguments) {
  const int forks = std::atoi(arguments[1]);
  const omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  auto* managed = static_cast<double*>(omp_alloc(size * sizeof(double), allocator));
  for (int i = 0; i < size; ++i) managed[i] = 1;
  std::thread others[] = {std::thread(regions), std::thread(regions)};
  int bad = 0;
  for (int i = 0; i < forks; ++i) bad += fork_once(managed, i, true);
  // A child of a lane: its team is gone, and OpenMP is of no use to it, with us or without.
  for (int i = 0; i < forks / 5; ++i) {
#pragma omp parallel num_threads(3)
    if (omp_get_thread_num() == i % 3) {
      const int one = fork_once(managed, i, false);
#pragma omp atomic
      bad += one;
    }
  }
  // A child of a thread that ends as a thread.
  for (int i = 0; i < forks / 5; ++i) {
    std::thread([&] {
      const pid_t child = fork();
      if (child == 0) {
        alarm(60);
        live(managed, false);
        pthread_exit(nullptr);  // the last thread: the process ends with status 0
      }
      int status = 0;
      waitpid(child, &status, 0);
      bad += status != 0;
    }).join();
  }
  stop = true;
  for (std::thread& other : others) other.join();
  std::printf("bad %d, sum %.0f\n", bad, sum_of(managed));
  omp_free(managed, omp_null_allocator);
}
