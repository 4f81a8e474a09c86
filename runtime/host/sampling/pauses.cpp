#include "runtime/host/sampling/pauses.h"

#include <pthread.h>
#include <sys/mman.h>
#include <cerrno>
#include <new>

#include "runtime/host/sampling/armed_memory.h"
#include "runtime/host/sampling/watching.h"

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

constinit Pauses the_pauses;

/// The pause ends in a child only if nothing was begun before.
void end_in_child() {
  if (!process_words()) pauses().end();
}

/// A child gets its memory with nothing armed, and as the pause never ends there, nothing will be. No lock is held
/// meanwhile: others who hold theirs may wait for ours, in whichever order the handlers run. Not only when watching
/// begins: a fork may be under way then.
[[gnu::constructor]] void pause_across_forks() {
  pthread_atfork([] { pauses().begin(); }, [] { pauses().end(); }, end_in_child);
}

}  // namespace

bool begin_watching() {
  static const bool begun = [] {
    ProcessWords* const words = map_words();
    if (!words) return false;
    the_words.store(words, std::memory_order_release);
    watching::begun.store(true, std::memory_order_seq_cst);
    return true;
  }();
  return begun && process_words()->ours.load(std::memory_order_relaxed);
}

ProcessWords* process_words() { return the_words.load(std::memory_order_acquire); }

void Pauses::begin(std::uintptr_t first, std::uintptr_t end) {
  under_way_.fetch_add(1, std::memory_order_seq_cst);
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  const int error = errno;
  put_back(first, end);
  errno = error;
}

void Pauses::end() {
  epoch_.fetch_add(1, std::memory_order_seq_cst);
  under_way_.fetch_sub(1, std::memory_order_seq_cst);
}

std::optional<Pauses::Ticket> Pauses::ticket() const {
  const Ticket now = epoch_.load(std::memory_order_seq_cst);
  if (under_way_.load(std::memory_order_seq_cst) != 0) return std::nullopt;
  return now;
}

bool Pauses::valid(Ticket ticket) const {
  return under_way_.load(std::memory_order_seq_cst) == 0 && epoch_.load(std::memory_order_seq_cst) == ticket;
}

Pauses& pauses() { return the_pauses; }

}  // namespace lbhm::sampling

namespace lbhm::watching {

using sampling::pauses;

Pause::Pause() : active_(possible()) {
  if (active_) pauses().begin();
}

Pause::Pause(const void* address, std::size_t bytes) : active_(possible()) {
  if (!active_) return;
  const auto first = reinterpret_cast<std::uintptr_t>(address);
  const std::uintptr_t end = first + bytes;
  pauses().begin(first, end < first ? ~std::uintptr_t{0} : end);
}

Pause::~Pause() {
  if (active_) pauses().end();
}

void never_again(const char* why) { pauses().for_ever(why); }

}  // namespace lbhm::watching
