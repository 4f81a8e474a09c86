#include "runtime/sampling/obstacles.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/sampling/at_work.h"
#include "runtime/sampling/direct_calls.h"
#include "runtime/sampling/watching.h"

namespace lbhm::sampling {
namespace {

bool is_own(pid_t thread) {
  for (const auto& own : watching::own_threads)
    if (own.load(std::memory_order_relaxed) == thread) return true;
  return false;
}

/// The signals that a thread blocks, bit s - 1 of signal s; 0 if the thread is gone.
std::uint64_t blocked_by(const std::string& status) {
  const int file = open(status.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 4096> text;
  const ssize_t bytes = read(file, text.data(), text.size());
  close(file);
  const std::string_view all(text.data(), bytes > 0 ? static_cast<std::size_t>(bytes) : 0);
  constexpr std::string_view field = "\nSigBlk:\t";
  const std::size_t at = all.find(field);
  std::uint64_t mask = 0;
  if (at != all.npos) std::from_chars(all.data() + at + field.size(), all.data() + all.size(), mask, 16);
  return mask;
}

enum class Blocks : std::uint8_t { no, yes, for_us };

/// glibc, too, blocks all signals for some microseconds: only who does so at each look does it for good. (An
/// assumption; where it is wrong it costs a chance to watch.) Whoever is in our handler is asked again when it is
/// through.
Blocks blocks_faults(const std::string& status, pid_t thread) {
  constexpr int most_looks = 10, most_waits = 100;
  constexpr timespec between{.tv_sec = 0, .tv_nsec = 50'000};
  constexpr std::uint64_t fault = std::uint64_t{1} << (SIGSEGV - 1);
  int looks = 0, waits = 0;
  while (looks < most_looks && waits < most_waits) {
    const bool for_us = AtWork::is(thread);
    if ((blocked_by(status) & fault) == 0) return Blocks::no;
    ++(for_us || AtWork::is(thread) ? waits : looks);
    syscall(SYS_nanosleep, &between, nullptr);
  }
  return looks == most_looks ? Blocks::yes : Blocks::for_us;
}

std::optional<std::string> obstacle_of_threads(const std::string& root) {
  const std::string folder = root + "/proc/self/task";
  const std::unique_ptr<DIR, int (*)(DIR*)> tasks(opendir(folder.c_str()), closedir);
  if (!tasks) return "/proc/self/task cannot be read, which tells who blocks SIGSEGV; allow that";
  while (const dirent* const task = readdir(tasks.get())) {
    const std::string_view name = task->d_name;
    pid_t thread = 0;
    if (std::from_chars(name.begin(), name.end(), thread).ec != std::errc{} || is_own(thread)) continue;
    const Blocks blocks = blocks_faults(folder + "/" + std::string(name) + "/status", thread);
    if (blocks == Blocks::for_us) return "";
    if (blocks == Blocks::yes)
      return "a thread of the program blocks SIGSEGV, so an armed page would end the program; take SIGSEGV out of "
             "what it blocks (sigdelset)";
  }
  return std::nullopt;
}

std::optional<std::string> obstacle_of_handlers() {
  for (int signal = 1; signal < _NSIG; ++signal) {
    struct sigaction action{};
    if (signal == SIGSEGV || direct::action(signal, nullptr, &action) != 0) continue;
    const bool handled =
        (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
    if (handled && sigismember(&action.sa_mask, SIGSEGV) == 1)
      return "the program's handler of signal " + std::to_string(signal) +
             " blocks SIGSEGV, so an armed page would end the program; take SIGSEGV out of its sa_mask (sigdelset)";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> obstacle(const std::string& root) {
  std::optional<std::string> found = obstacle_of_handlers();
  return found ? found : obstacle_of_threads(root);
}

}  // namespace lbhm::sampling
