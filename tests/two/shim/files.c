// Opening files: of the made-up tree in the place of those that tell of memory nodes.
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#include "shim/tree.h"

#define INTERPOSED __attribute__((visibility("default")))
/// The function of this name that comes next; looked up once, as programs open files in signal handlers, too.
#define NEXT(name)                                                  \
  ({                                                                \
    static __typeof__(&(name)) next;                                \
    if (!next) next = (__typeof__(&(name)))dlsym(RTLD_NEXT, #name); \
    next;                                                           \
  })

/// The process's own status, but for the nodes that it may have memory of.
static int open_status(int flags) {
  char line[512];
  const int copy = memfd_create("status", flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
  FILE* const own = NEXT(fopen)("/proc/self/status", "re");
  while (own && copy >= 0 && fgets(line, sizeof line, own)) {
    const char* const shown = strncmp(line, "Mems_allowed_list:", 18) == 0 ? "Mems_allowed_list:\t0-1\n" : line;
    if (write(copy, shown, strlen(shown)) < 0) break;
  }
  if (own) fclose(own);
  if (copy >= 0) lseek(copy, 0, SEEK_SET);
  return copy;
}

#define OPEN(name)                                        \
  INTERPOSED int name(const char* path, int flags, ...) { \
    char made_up[PATH_MAX];                               \
    va_list rest;                                         \
    va_start(rest, flags);                                \
    const mode_t mode = va_arg(rest, mode_t);             \
    va_end(rest);                                         \
    if (is_status(path)) return open_status(flags);       \
    path = instead_of(path, made_up, sizeof made_up);     \
    return NEXT(name)(path, flags, mode);                 \
  }
OPEN(open)
OPEN(open64)

#define OPENAT(name)                                                  \
  INTERPOSED int name(int folder, const char* path, int flags, ...) { \
    char made_up[PATH_MAX];                                           \
    va_list rest;                                                     \
    va_start(rest, flags);                                            \
    const mode_t mode = va_arg(rest, mode_t);                         \
    va_end(rest);                                                     \
    if (is_status(path)) return open_status(flags);                   \
    path = instead_of(path, made_up, sizeof made_up);                 \
    return NEXT(name)(folder, path, flags, mode);                     \
  }
OPENAT(openat)
OPENAT(openat64)

#define FOPEN(name)                                                                           \
  INTERPOSED FILE* name(const char* path, const char* mode) {                                 \
    char made_up[PATH_MAX];                                                                   \
    if (is_status(path)) return fdopen(open_status(strchr(mode, 'e') ? O_CLOEXEC : 0), mode); \
    return NEXT(name)(instead_of(path, made_up, sizeof made_up), mode);                       \
  }
FOPEN(fopen)
FOPEN(fopen64)

INTERPOSED DIR* opendir(const char* path) {
  char made_up[PATH_MAX];
  return NEXT(opendir)(instead_of(path, made_up, sizeof made_up));
}

INTERPOSED int access(const char* path, int mode) {
  char made_up[PATH_MAX];
  return NEXT(access)(instead_of(path, made_up, sizeof made_up), mode);
}

INTERPOSED char* realpath(const char* path, char* resolved) {
  char made_up[PATH_MAX];
  return NEXT(realpath)(instead_of(path, made_up, sizeof made_up), resolved);
}

INTERPOSED ssize_t readlink(const char* path, char* out, size_t bytes) {
  char made_up[PATH_MAX];
  return NEXT(readlink)(instead_of(path, made_up, sizeof made_up), out, bytes);
}

INTERPOSED int link(const char* path, const char* other) {
  char made_up[PATH_MAX], made_up_other[PATH_MAX];
  return NEXT(link)(instead_of(path, made_up, sizeof made_up), instead_of(other, made_up_other, sizeof made_up_other));
}

INTERPOSED int unlink(const char* path) {
  char made_up[PATH_MAX];
  return NEXT(unlink)(instead_of(path, made_up, sizeof made_up));
}
