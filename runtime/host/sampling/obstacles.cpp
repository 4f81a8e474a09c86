#include "runtime/host/sampling/obstacles.h"

#include <dirent.h>
#include <fcntl.h>
#include <time.h>
#include <array>
#include <atomic>
#include <charconv>
#include <cstdint>
#include <memory>
#include <string_view>

#include "runtime/host/sampling/watching.h"

namespace lbhm::sampling {
namespace {

struct Slot {
  std::atomic<std::uintptr_t> first{0};  // 0: free
  std::atomic<std::uintptr_t> end{0};
};
/// Threads that end without giving their stack up keep their slot until another one has a stack in the same place.
constinit std::array<Slot, 1024> slots;
thread_local Slot* slot_of_thread = nullptr;

/// The slot of the same stack, of another thread that ended, or a free one; null: there is none.
Slot* slot_for(std::uintptr_t first) {
  for (Slot& slot : slots)
    if (slot.first.load(std::memory_order_relaxed) == first) return &slot;
  for (Slot& slot : slots) {
    std::uintptr_t free = 0;
    if (slot.first.compare_exchange_strong(free, first)) return &slot;
  }
  return nullptr;
}

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

/// glibc, too, blocks all signals for some microseconds, and on a busy computer a thread may wait for a processor just
/// then: only who does so at each look, over 13 ms, does it for good. (An assumption; where it is wrong it costs a
/// chance to watch.) Whoever is in our handler is asked again when it is through.
Blocks blocks_faults(const std::string& status, pid_t thread) {
  constexpr int most_looks = 8, most_waits = 100;
  constexpr long shortest_ns = 50'000;
  constexpr std::uint64_t fault = std::uint64_t{1} << (SIGSEGV - 1);
  for (int looks = 0, waits = 0;;) {
    const bool for_us = AtWork::is(thread);
    if ((blocked_by(status) & fault) == 0) return Blocks::no;
    ++(for_us || AtWork::is(thread) ? waits : looks);
    if (looks == most_looks) return Blocks::yes;
    if (waits == most_waits) return Blocks::for_us;
    const timespec pause{.tv_sec = 0, .tv_nsec = shortest_ns << looks};
    syscall(SYS_nanosleep, &pause, nullptr);
  }
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

std::vector<StackRange> alternate_stacks() {
  std::vector<StackRange> ranges;
  for (const Slot& slot : slots) {
    const std::uintptr_t first = slot.first.load();
    if (first != 0) ranges.push_back({.first = first, .end = slot.end.load()});
  }
  return ranges;
}

}  // namespace lbhm::sampling

namespace lbhm::watching {

using namespace sampling;

void alternate_stack(const void* address, std::size_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  if (slot_of_thread && slot_of_thread->first.load() != first) {
    slot_of_thread->first.store(0);
    slot_of_thread = nullptr;
  }
  if (first == 0) return;
  slot_of_thread = slot_for(first);
  if (!slot_of_thread) {
    never_again("the program has more alternate signal stacks than LB-HM follows (1024); set LBHM_SAMPLER=faults");
    return;
  }
  slot_of_thread->end.store(first + bytes);
  const Pause pause(address, bytes);  // whoever has looked at the slots already looks again
}

}  // namespace lbhm::watching

namespace lbhm::sampling {

std::optional<std::string> obstacle(const std::string& root) {
  std::optional<std::string> found = obstacle_of_handlers();
  return found ? found : obstacle_of_threads(root);
}

}  // namespace lbhm::sampling
