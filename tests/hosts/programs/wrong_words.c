// Gives functions that start programs words that are no memory, and prints what they answer, a line each.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { PAGE = 4096 };
static char* const nowhere = (char*)PAGE;
static char* right[] = {"true", NULL};

static void say(const char* way, const char* what, int result) {
  printf("%s, %s: %d %s\n", way, what, result, strerror(errno));
}

static void start(const char* what, const char* path, char** words, char** environment) {
  const int file = open("/bin/true", O_RDONLY), empty = AT_EMPTY_PATH;
  pid_t child = 0;
  errno = 0;
  say("execve", what, execve(path, words, environment));
  say("execveat", what, execveat(AT_FDCWD, path, words, environment, 0));
  say("execveat-empty", what, execveat(file, path == nowhere ? path : "", words, environment, empty));
  if (path != nowhere) {
    say("execvpe", what, execvpe(path, words, environment));
    say("fexecve", what, fexecve(file, words, environment));
  }
  if (words != (char**)nowhere)  // glibc counts them
    say("posix_spawn", what, posix_spawn(&child, path, NULL, NULL, words, environment));
  close(file);
}

int main(void) {
  char* const memory = mmap(NULL, 2 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  munmap(memory + PAGE, PAGE);
  char **cut = (char**)(memory + PAGE) - 3, *variable[] = {"A=", nowhere, NULL};
  for (int i = 0; i < 3; ++i) cut[i] = "B=";
  setbuf(stdout, NULL);
  start("no path", nowhere, right, environ);
  start("no words", "/bin/true", (char**)nowhere, environ);
  start("no environment", "/bin/true", right, (char**)nowhere);
  start("no variable", "/bin/true", right, variable);
  start("no end", "/bin/true", right, cut);
  return 0;
}
