// What the program may have is taken away, by the argument's name, before it runs planned regions.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "tests/faults/programs/program.h"

namespace {

void limit(decltype(RLIMIT_AS) what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

/// Whatever LB-HM has open is closed, too.
void close_from(int first) {
  for (int file = first; file < 1024; ++file) close(file);
}

void leave_the_folder() {
  char folder[] = "/tmp/gone-XXXXXX";
  if (!mkdtemp(folder) || chdir(folder) != 0 || rmdir(folder) != 0) std::abort();
}

/// Enough for what the program goes on to take, with what a child of it takes.
void take_less(decltype(RLIMIT_AS) what) {
  const auto takes = [](std::size_t bytes) {
    char* volatile block = static_cast<char*>(std::malloc(bytes));
    std::printf("%zu KiB: %s\n", bytes >> 10, block ? "taken" : "none");
    if (block) block[bytes / 2] = 1;
    std::free(block);
  };
  const auto limit_and_take = [&] {
    limit(what, 512 << 20);
    for (const std::size_t bytes : {100 << 10, 1 << 20, 50 << 20}) takes(bytes);
    std::fflush(stdout);
  };
  std::fflush(stdout);
  if (const pid_t child = fork(); child == 0) {
    limit_and_take();
    _exit(0);
  } else {
    waitpid(child, nullptr, 0);
  }
  limit_and_take();
}

/// Files get the lowest free numbers (POSIX), whatever LB-HM has open.
void open_one() { std::printf("the next file is %d\n", open("/dev/null", O_RDONLY | O_CLOEXEC)); }

struct Limit {
  const char* name;
  void (*set)();
};

const Limit limits[] = {
    {"files", [] { limit(RLIMIT_NOFILE, 0); }},
    {"processes", [] { limit(RLIMIT_NPROC, 0); }},
    {"file-size", [] { limit(RLIMIT_FSIZE, 10); }},
    {"closed-files", [] { close_from(3); }},
    {"no-input-or-output", [] { close_from(0); }},
    {"folder", leave_the_folder},
    {"stack", [] { limit(RLIMIT_STACK, 256 << 10); }},
    {"umask", [] { umask(0777); }},
    {"addresses", [] { take_less(RLIMIT_AS); }},
    {"data", [] { take_less(RLIMIT_DATA); }},
    {"next-file", open_one},
};

}  // namespace

int main(int argc, char** argv) {
  const faults::Array array(1 << 16);
  for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
  for (const Limit& one : limits)
    if (argc > 1 && std::strcmp(argv[1], one.name) == 0) one.set();
  for (int repeat = 0; repeat < 5; ++repeat) faults::add_one(array);
  std::printf("%.0f\n", array.sum() / 1e6);  // shorter than the file size that is left
  return faults::finish();
}
