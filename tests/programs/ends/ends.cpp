// ends WAY PAGES: touches PAGES pages, fewer than fill a buffer of the emulator, and ends at once in a way of its own.
#include <omp.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>
#include <thread>

namespace {

constexpr int page = 4096;
char memory[2000 * page];
int pages = 0;

void touch() {
  for (int i = 0; i < pages; ++i) static_cast<volatile char*>(memory)[i * page] = 1;
}

/// There is something to report, and libomp is there.
void region() {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 1000; ++i) sum += i;
  if (sum < 1) std::abort();
}

[[noreturn]] void in_lane(void (*end)()) {
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 1) {
    touch();
    end();
  }
  std::abort();
}

/// The first thread ends long before the process.
[[noreturn]] void leave_to_a_thread() {
  const pthread_t first = pthread_self();
  std::thread([first] {
    pthread_join(first, nullptr);
    std::exit(0);
  }).detach();
  touch();
  pthread_exit(nullptr);
}

int failed_exec() {
  touch();
  execl("/nowhere/program", "program", static_cast<char*>(nullptr));
  region();
  return 0;
}

int child(bool fork_it) {
  touch();
  const pid_t id = fork_it ? fork() : vfork();
  if (id == 0) {
    if (!fork_it) execl("/bin/true", "true", static_cast<char*>(nullptr));
    _exit(0);
  }
  int status = 1;
  waitpid(id, &status, 0);
  region();
  return status;
}

int end(const std::string& way) {
  if (way == "lane-exit") in_lane([] { std::exit(0); });
  if (way == "lane-_exit") in_lane([] { _exit(0); });
  if (way == "pthread_exit") leave_to_a_thread();
  if (way == "failed-exec") return failed_exec();
  if (way == "fork") return child(true);
  if (way == "vfork") return child(false);
  if (way == "thread") return std::thread(touch).join(), 0;
  touch();
  if (way == "exit") std::exit(0);
  if (way == "quick_exit") std::quick_exit(0);
  if (way == "_exit") _exit(0);
  if (way == "_Exit") _Exit(0);
  if (way == "execl") execl("/bin/true", "true", static_cast<char*>(nullptr));
  if (way == "execlp") execlp("true", "true", "a", "b", static_cast<char*>(nullptr));
  if (way == "execle") execle("/bin/true", "true", static_cast<char*>(nullptr), environ);
  char name[] = "true";
  char* const words[] = {name, nullptr};
  if (way == "execv") execv("/bin/true", words);
  if (way == "execve") execve("/bin/true", words, environ);
  if (way == "execvp") execvp("true", words);
  if (way == "exception") throw std::runtime_error("nobody catches this");
  if (way == "handler") {
    std::signal(SIGUSR1, [](int) { _exit(7); });
    std::raise(SIGUSR1);
  }
  return way == "return" ? 0 : 2;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "wtime") == 0) {
    const double begin = omp_get_wtime();
    return omp_get_wtime() >= begin ? 0 : 1;
  }
  if (argc != 3) return 2;
  pages = std::atoi(argv[2]);
  region();
  return end(argv[1]);
}
