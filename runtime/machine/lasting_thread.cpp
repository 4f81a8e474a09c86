#include "runtime/machine/lasting_thread.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <ctime>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/sampling/watching.h"

namespace lbhm::host {
namespace {

constexpr std::size_t stack_bytes = std::size_t{1} << 20;  // with the thread-local memory that all libraries have

using Work = std::function<void()>;

void* run(void* argument) {
  const watching::OwnThread own(gettid());
  const std::unique_ptr<Work> work(static_cast<Work*>(argument));
  (*work)();
  return nullptr;
}

/// Without the program's signals; they are inherited.
std::optional<pthread_t> start_on(void* stack, std::unique_ptr<Work> work) {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, stack_bytes);
  pthread_t thread{};
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const bool started = pthread_create(&thread, &attributes, run, work.get()) == 0;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
  if (!started) return std::nullopt;
  static_cast<void>(work.release());  // NOLINT(bugprone-unused-return-value): the thread's
  return thread;
}

std::optional<pthread_t> start(std::unique_ptr<Work> work) {
  void* const stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED) return std::nullopt;
  const auto thread = start_on(stack, std::move(work));
  if (!thread) munmap(stack, stack_bytes);
  return thread;
}

bool join_within(pthread_t thread, std::chrono::milliseconds patience) {
  constexpr std::chrono::nanoseconds second = std::chrono::seconds(1);
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  const std::chrono::nanoseconds fraction = std::chrono::nanoseconds(until.tv_nsec) + patience;
  until.tv_sec += fraction / second;
  until.tv_nsec = (fraction % second).count();
  if (pthread_timedjoin_np(thread, nullptr, &until) == 0) return true;
  pthread_detach(thread);
  return false;
}

}  // namespace

bool run_on_lasting_thread(const Work& work, std::chrono::milliseconds patience) {
  if (gettid() == getpid()) {
    work();
    return true;
  }
  const auto thread = start(std::make_unique<Work>(work));
  return thread && join_within(*thread, patience);
}

}  // namespace lbhm::host
