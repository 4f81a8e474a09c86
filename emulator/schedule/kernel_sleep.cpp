#include "emulator/schedule/kernel_sleep.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string_view>

#include "runtime/own_memory/inside.h"

namespace lbhm::emulator {
namespace {

/// A file of /proc, which has no contents where it cannot be read.
class ProcFile {
 public:
  explicit ProcFile(const char* path)
      : file_(static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC))) {}
  ProcFile(const ProcFile&) = delete;
  ProcFile& operator=(const ProcFile&) = delete;
  ~ProcFile() {
    if (file_ >= 0) syscall(SYS_close, file_);
  }
  std::size_t next(long call, std::span<char> into) const {
    const long got = file_ < 0 ? 0 : syscall(call, file_, into.data(), into.size());
    return got < 0 ? 0 : static_cast<std::size_t>(got);
  }

 private:
  int file_;
};

using Text = std::array<char, 512>;

std::string_view about(int thread, const char* what, Text& text) {
  std::array<char, 64> path{};
  std::snprintf(path.data(), path.size(), "/proc/self/task/%d/%s", thread, what);
  return {text.data(), ProcFile(path.data()).next(SYS_read, text)};
}

/// As proc_pid_stat(5) has it; 0: nobody knows.
char state_of(int thread) {
  Text text{};
  const std::string_view stat = about(thread, "stat", text);
  const std::size_t name_ends = stat.rfind(") ");
  return name_ends == std::string_view::npos || name_ends + 2 >= stat.size() ? '\0' : stat[name_ends + 2];
}

}  // namespace

std::optional<std::uint64_t> processor_time(int thread) {
  const Inside here;
  const auto clock = static_cast<clockid_t>((~static_cast<unsigned>(thread) << 3) | 6);  // MAKE_THREAD_CPUCLOCK
  timespec time{};
  if (thread <= 0 || syscall(SYS_clock_gettime, clock, &time) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

bool sleeps(int thread) {
  const Inside here;
  return state_of(thread) == 'S';
}

bool waits_for_others(int thread, std::span<const std::span<const std::byte>> ours) {
  const Inside here;
  if (state_of(thread) != 'S') return false;
  Text text{};
  // Its number and what it was called with; where Linux does not tell, any call may be one that others end.
  const std::string_view call = about(thread, "syscall", text);
  if (call.empty()) return true;
  char* rest = nullptr;
  const long number = std::strtol(text.data(), &rest, 10);
  const std::uintptr_t first = std::strtoul(rest, nullptr, 16);
  if (number == SYS_nanosleep || number == SYS_clock_nanosleep) return false;
  const auto holds = [first](std::span<const std::byte> object) {
    return first - reinterpret_cast<std::uintptr_t>(object.data()) < object.size();
  };
  if (number == SYS_futex) return std::ranges::none_of(ours, holds);
  const bool writes = number == SYS_write || number == SYS_writev;
  return !writes || first > STDERR_FILENO;
}

bool others_sleep(std::span<const int> those) {
  const Inside here;
  const int self = static_cast<int>(syscall(SYS_gettid));
  const ProcFile threads("/proc/self/task");
  alignas(dirent64) std::array<char, 4096> entries{};
  bool any = false;
  while (const std::size_t bytes = threads.next(SYS_getdents64, entries)) {
    for (std::size_t at = 0; at < bytes;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      at += entry->d_reclen;
      const int thread = static_cast<int>(std::strtol(entry->d_name, nullptr, 10));
      if (thread <= 0 || thread == self || std::ranges::find(those, thread) != those.end()) continue;
      const char state = state_of(thread);
      if (state != 'S' && state != 'Z' && state != 'X' && state != '\0') return false;
      any = true;
    }
  }
  return any;
}

}  // namespace lbhm::emulator
