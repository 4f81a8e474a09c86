// starts WAY PROGRAM: starts it so, and ends with its status. A shell starts it in another folder.
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

static int spawned(int failed, const pid_t* child) {
  int status = 0;
  if (failed || waitpid(*child, &status, 0) != *child) return 9;
  return WEXITSTATUS(status);
}

int main(int count, char** words) {
  const char *way = words[1], *path = words[2];
  char** rest = words + 2;
  pid_t child = 0;
  if (count < 3) return 8;
  if (!strcmp(way, "execve")) execve(path, rest, environ);
  if (!strcmp(way, "execv")) execv(path, rest);
  if (!strcmp(way, "execvp")) execvp(path, rest);
  if (!strcmp(way, "execvpe")) execvpe(path, rest, environ);
  if (!strcmp(way, "execl")) execl(path, path, "word", NULL);
  if (!strcmp(way, "execlp")) execlp(path, path, NULL);
  if (!strcmp(way, "execle")) execle(path, path, NULL, environ);
  if (!strcmp(way, "fexecve")) fexecve(open(path, O_RDONLY), rest, environ);
  if (!strcmp(way, "execveat")) execveat(AT_FDCWD, path, rest, environ, 0);
  if (!strcmp(way, "execveat-empty")) execveat(open(path, O_RDONLY), "", rest, environ, AT_EMPTY_PATH);
  if (!strcmp(way, "posix_spawn")) return spawned(posix_spawn(&child, path, NULL, NULL, rest, environ), &child);
  if (!strcmp(way, "posix_spawnp")) return spawned(posix_spawnp(&child, path, NULL, NULL, rest, environ), &child);
  if (!strcmp(way, "system")) return chdir("/") ? 9 : WEXITSTATUS(system(path));
  if (!strcmp(way, "popen")) return chdir("/") ? 9 : WEXITSTATUS(pclose(popen(path, "w")));
  if (!strcmp(way, "vfork")) {
    child = vfork();
    if (child == 0) {
      execv(path, rest);
      _exit(10);
    }
    return spawned(child < 0, &child);
  }
  perror(way);
  return 9;
}
