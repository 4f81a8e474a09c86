#include "runtime/sampling/process_words.h"

#include <pthread.h>
#include <sys/mman.h>

#include <new>

#include "runtime/sampling/pauses.h"
#include "runtime/sampling/watching.h"

namespace lbhm::sampling {
namespace {

std::atomic<ProcessWords*> the_words{nullptr};

ProcessWords* map_words() {
  void* const at = mmap(nullptr, sizeof(ProcessWords), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) return nullptr;
  if (madvise(at, sizeof(ProcessWords), MADV_WIPEONFORK) == 0) {
    auto* const words = new (at) ProcessWords{};
    words->ours.store(true, std::memory_order_relaxed);
    return words;
  }
  munmap(at, sizeof(ProcessWords));
  return nullptr;
}

/// A child gets its memory with nothing armed, and as the pause never ends there, nothing will be. No lock is held
/// meanwhile: others who hold theirs may wait for ours, in whichever order the handlers run.
void pause_across_forks() {
  pthread_atfork([] { pauses().begin(); }, [] { pauses().end(); }, nullptr);
}

}  // namespace

bool begin_watching() {
  static const bool begun = [] {
    ProcessWords* const words = map_words();
    if (!words) return false;
    pause_across_forks();
    the_words.store(words, std::memory_order_release);
    watching::begun.store(true, std::memory_order_seq_cst);
    return true;
  }();
  return begun && process_words()->ours.load(std::memory_order_relaxed);
}

ProcessWords* process_words() { return the_words.load(std::memory_order_acquire); }

}  // namespace lbhm::sampling
