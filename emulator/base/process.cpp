#include "emulator/base/process.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>

namespace lbhm::emulator {
namespace {

constinit std::atomic<bool> forked{false};
/// A page that the kernel gives to children as zeros (madvise(2), MADV_WIPEONFORK; Linux 4.14).
constinit std::atomic<const std::atomic<bool>*> here{nullptr};

const std::atomic<bool>* map_mark() {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* memory = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  if (madvise(memory, page, MADV_WIPEONFORK) != 0) {
    munmap(memory, page);
    return nullptr;
  }
  auto* mark = static_cast<std::atomic<bool>*>(memory);
  mark->store(true);
  return mark;
}

}  // namespace

ProcessMark::ProcessMark() {
  if (here.load() != nullptr && !in_child()) return;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { forked.store(true); });
  static_cast<void>(registered);
  here.store(map_mark());
  forked.store(false);
}

bool in_child() {
  const std::atomic<bool>* mark = here.load(std::memory_order_relaxed);
  return forked.load(std::memory_order_relaxed) || (mark != nullptr && !mark->load(std::memory_order_relaxed));
}

void leave_process() { forked.store(true); }

}  // namespace lbhm::emulator
