// The ways in which a program can end. FAULTS_ENDING names one; without it main returns.
#include <pthread.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "tests/faults/programs/program.h"

namespace faults {
namespace {

constexpr int status = 7;
void* volatile sink;

void exec_echo(int /*signal*/ = 0) { execl("/bin/echo", "echo", "another program", static_cast<char*>(nullptr)); }

[[noreturn]] void leave_at_once(int /*signal*/) { _exit(status); }

/// Calls `handler` in 20 ms, most likely amid an allocation, for that is all that the program does.
[[noreturn]] void interrupted_by(void (*handler)(int)) {
  std::signal(SIGALRM, handler);
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  ualarm(20'000, 0);
  for (;;) {
    sink = std::malloc(3'000);
    void* const first = sink;
    sink = std::malloc(70'000);
    std::free(first);
    std::free(sink);
  }
}

/// One thread of a team ends the process while the others go on.
[[noreturn]] void in_region(void (*end)(int)) {
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 1) end(status);
    for (;;) usleep(100);
  }
  std::abort();  // not reached
}

/// main is gone, but the threads of the OpenMP runtime are not: somebody has to end the process.
void* last_words(void* /*nothing*/) {
  usleep(20'000);
  std::puts("the last thread");
  std::exit(status);
}

[[noreturn]] void leave_main_to_others() {
  pthread_t thread{};
  if (pthread_create(&thread, nullptr, last_words, nullptr) != 0) _exit(status);
  pthread_detach(thread);
  pthread_exit(nullptr);
}

void killed_by_signal() {
  sigset_t term;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_UNBLOCK, &term, nullptr);
  std::raise(SIGTERM);
}

struct Ending {
  const char* name;
  void (*end)();
};

const Ending endings[] = {
    {"return", [] {}},
    {"exit", [] { std::exit(status); }},
    {"_exit", [] { _exit(status); }},
    {"quick_exit", [] { std::quick_exit(status); }},
    {"abort", [] { std::abort(); }},
    {"exec", [] { exec_echo(); }},
    {"signal", [] { killed_by_signal(); }},
    {"exit-in-region", [] { in_region(std::exit); }},
    {"_exit-in-region", [] { in_region(_exit); }},
    {"abort-in-region", [] { in_region([](int) { std::abort(); }); }},
    {"exec-in-handler", [] { interrupted_by(exec_echo); }},
    {"_exit-in-handler", [] { interrupted_by(leave_at_once); }},
    {"thread-exit", [] { leave_main_to_others(); }},
    {"exception", [] { throw std::runtime_error("nobody catches this"); }},
};

}  // namespace

int finish() {
  const char* name = std::getenv("FAULTS_ENDING");
  if (!name) return 0;
  std::fflush(stdout);
  for (const Ending& ending : endings) {
    if (std::strcmp(ending.name, name) != 0) continue;
    ending.end();
    return 0;
  }
  std::fprintf(stderr, "FAULTS_ENDING: '%s' is no way to end a program; see tests/faults/programs/ending.cpp\n", name);
  return 2;
}

}  // namespace faults
