// Starts other programs in every way between planned regions.
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "tests/faults/programs/program.h"

namespace {

char* const no_arguments[] = {const_cast<char*>("true"), nullptr};

int status_of(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int by_popen() {
  std::FILE* pipe = popen("echo hello", "r");
  char text[32] = "";
  (void)!std::fgets(text, sizeof text, pipe);
  std::printf("popen: %s", text);
  return pclose(pipe);
}

int by_vfork() {
  const pid_t child = vfork();
  if (child == 0) {
    execv("/bin/true", no_arguments);
    _exit(1);
  }
  return status_of(child);
}

int vfork_that_leaves() {
  const pid_t child = vfork();
  if (child == 0) _exit(4);
  return status_of(child);
}

int by_spawn() {
  pid_t child = 0;
  return posix_spawn(&child, "/bin/true", nullptr, nullptr, no_arguments, environ) ? -1 : status_of(child);
}

}  // namespace

int main() {
  const faults::Array array(1 << 16);
  int (*const ways[])() = {by_popen, by_vfork, vfork_that_leaves, by_spawn, [] { return std::system("exit 3") >> 8; }};
  for (const auto way : ways) {
    faults::add_one(array);
    std::printf("status %d\n", way());
  }
  std::printf("sum %.0f\n", array.sum());
  return faults::finish();
}
