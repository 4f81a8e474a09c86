// Works in regions until a signal comes, and ends in its handler: ends exec|_exit MICROSECONDS.
#include <lbhm/lbhm.h>
#include <lbhm/omp_traits.h>
#include <omp.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <cstring>

static bool by_exec;

static void on_alarm(int) {
  if (by_exec) execl("/bin/echo", "echo", "another program", nullptr);
  _exit(7);
}

int main(int count, char** words) {
  if (count != 3) return 2;
  by_exec = std::strcmp(words[1], "exec") == 0;
  constexpr int numbers = 1 << 15;
  omp_alloctrait_t traits[] = {lbhm_managed(true)};
  const omp_allocator_handle_t allocator = lbhm_init_allocator(omp_default_mem_space, 1, traits);
  auto* data = static_cast<double*>(omp_calloc(numbers, 8, allocator));
  struct sigaction action{};
  action.sa_handler = on_alarm;
  sigaction(SIGALRM, &action, nullptr);
  const itimerval once{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = std::atol(words[2])}};
  setitimer(ITIMER_REAL, &once, nullptr);
  for (;;) {
    void* objects[] = {data, nullptr};
    int sizes[] = {numbers * 8};
    if (LB_HM_config) LB_HM_config(objects, sizes);
#pragma omp parallel for
    for (int i = 0; i < numbers; ++i) data[i] += 1;
    void* page = omp_aligned_alloc(4096, 100, omp_default_mem_alloc);
    std::free(std::malloc(70000));
    omp_free(page, omp_null_allocator);
  }
}
