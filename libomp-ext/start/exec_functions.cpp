// The functions by which a process starts programs: exec, where the report of this one is saved, for it ends without
// destructors, posix_spawn, system and popen. Programs that cannot load us are started without our libraries
// (foreign_programs.h).
#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdarg>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "libomp-ext/start/foreign_programs.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/real_function.h"

namespace {

using lbhm::real::RealFunction;
using namespace lbhm::start;

using Words = char* const*;  // as C has them: arguments, variables
using Spawn = int(pid_t*, const char*, const posix_spawn_file_actions_t*, const posix_spawnattr_t*, Words, Words);

constexpr const char* unnamed = "a program";  // that is started by its open file

constinit RealFunction<int(const char*, Words, Words)> real_execve("execve");
constinit RealFunction<int(const char*, Words, Words)> real_execvpe("execvpe");
constinit RealFunction<int(int, Words, Words)> real_fexecve("fexecve");
constinit RealFunction<int(int, const char*, Words, Words, int)> real_execveat("execveat");
constinit RealFunction<Spawn> real_posix_spawn("posix_spawn");
constinit RealFunction<Spawn> real_posix_spawnp("posix_spawnp");
constinit RealFunction<int(const char*)> real_system("system");
constinit RealFunction<FILE*(const char*, const char*)> real_popen("popen");

/// Looked up early: between fork and exec, dlsym might wait for a lock that nobody holds any more.
__attribute__((constructor)) void look_up_starts() {
  lbhm::real::find_all(real_execve, real_execvpe, real_fexecve, real_execveat, real_posix_spawn, real_posix_spawnp,
                       real_system, real_popen);
}

/// -1 where it cannot be opened, and in a process that makes no system calls of ours any more.
int opened(int folder, const char* path) {
  return lbhm::engine::silent_process.load(std::memory_order_relaxed) ? -1 : open_program(folder, path);
}
int opened_in_path(const char* file) {
  return lbhm::engine::silent_process.load(std::memory_order_relaxed) ? -1 : open_in_path(file);
}

/// Calls `act` with the variables as the program can use them. file: the program's, open.
template <class Act>
auto with_usable(Words environment, int file, const char* name, Act act) {
  if (file < 0 || lbhm::engine::silent_process.load(std::memory_order_relaxed)) return act(environment);
  const int error = errno;
  const char* const preloads = preloads_in_vain(file, name, environment);
  errno = error;
  if (!preloads) return act(environment);
  std::size_t count = 1;
  while (environment[count]) ++count;
  auto** list = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  copy_without_ours(environment, preloads, list, static_cast<char*>(__builtin_alloca(std::strlen(preloads) + 1)));
  return act(list);
}

/// The same, with a file that is open for us alone.
template <class Act>
auto with_usable_once(Words environment, int file, const char* name, Act act) {
  return with_usable(environment, file, name, [file, act](Words usable) {
    close_program(file);
    return act(usable);
  });
}

/// `environ` for as long as a function of libc starts a shell, which takes it from there.
struct Environment {
  explicit Environment(Words usable) : before(environ) { environ = const_cast<char**>(usable); }
  ~Environment() { environ = before; }
  Environment(const Environment&) = delete;

  char** before;
};

/// Calls `act`, which starts the shell of libc.
template <class Act>
auto with_shell(Act act) {
  constexpr const char* shell = "/bin/sh";
  return with_usable_once(environ, opened(AT_FDCWD, shell), shell, [act](Words usable) {
    if (usable == environ) return act();
    const Environment without_ours(usable);
    return act();
  });
}

/// Calls `act` with the words of an exec function that takes them one by one.
template <class Act>
int with_words(const char* first, va_list words, Act act) {
  va_list again;
  va_copy(again, words);
  std::size_t count = 1;
  while (va_arg(again, char*) != nullptr) ++count;
  va_end(again);
  auto** list = static_cast<char**>(__builtin_alloca((count + 1) * sizeof(char*)));
  list[0] = const_cast<char*>(first);
  for (std::size_t i = 1; i <= count; ++i) list[i] = va_arg(words, char*);
  return act(list, words);
}

}  // namespace

LBHM_EXPORT int execve(const char* path, Words words, Words environment) noexcept {
  lbhm::engine::save_report();
  return with_usable_once(environment, opened(AT_FDCWD, path), path,
                          [=](Words usable) { return real_execve(path, words, usable); });
}
LBHM_EXPORT int execv(const char* path, Words words) noexcept { return execve(path, words, environ); }
LBHM_EXPORT int execvpe(const char* file, Words words, Words environment) noexcept {
  lbhm::engine::save_report();
  return with_usable_once(environment, opened_in_path(file), file,
                          [=](Words usable) { return real_execvpe(file, words, usable); });
}
LBHM_EXPORT int execvp(const char* file, Words words) noexcept { return execvpe(file, words, environ); }
LBHM_EXPORT int fexecve(int file, Words words, Words environment) noexcept {
  lbhm::engine::save_report();
  return with_usable(environment, file, unnamed, [=](Words usable) { return real_fexecve(file, words, usable); });
}
LBHM_EXPORT int execveat(int folder, const char* path, Words words, Words environment, int flags) noexcept {
  lbhm::engine::save_report();
  const auto start = [=](Words usable) { return real_execveat(folder, path, words, usable, flags); };
  if ((flags & AT_EMPTY_PATH) != 0 && (!readable(path) || !*path))
    return with_usable(environment, folder, unnamed, start);
  return with_usable_once(environment, opened(folder, path), path, start);
}

LBHM_EXPORT int posix_spawn(pid_t* child, const char* path, const posix_spawn_file_actions_t* actions,
                            const posix_spawnattr_t* attributes, Words words, Words environment) {
  return with_usable_once(environment, opened(AT_FDCWD, path), path, [=](Words usable) {
    return real_posix_spawn(child, path, actions, attributes, words, usable);
  });
}
LBHM_EXPORT int posix_spawnp(pid_t* child, const char* file, const posix_spawn_file_actions_t* actions,
                             const posix_spawnattr_t* attributes, Words words, Words environment) {
  return with_usable_once(environment, opened_in_path(file), file, [=](Words usable) {
    return real_posix_spawnp(child, file, actions, attributes, words, usable);
  });
}

LBHM_EXPORT int system(const char* command) {
  return with_shell([=] { return real_system(command); });
}
LBHM_EXPORT FILE* popen(const char* command, const char* mode) {
  return with_shell([=] { return real_popen(command, mode); });
}

LBHM_EXPORT int execl(const char* path, const char* first, ...) noexcept {
  va_list words;
  va_start(words, first);
  const int result = with_words(first, words, [path](char** list, va_list) { return execv(path, list); });
  va_end(words);
  return result;
}
LBHM_EXPORT int execlp(const char* file, const char* first, ...) noexcept {
  va_list words;
  va_start(words, first);
  const int result = with_words(first, words, [file](char** list, va_list) { return execvp(file, list); });
  va_end(words);
  return result;
}
LBHM_EXPORT int execle(const char* path, const char* first, ...) noexcept {
  va_list words;
  va_start(words, first);
  const int result = with_words(
      first, words, [path](char** list, va_list rest) { return execve(path, list, va_arg(rest, char* const*)); });
  va_end(words);
  return result;
}
