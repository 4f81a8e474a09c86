// Preloaded instead of liblbhm: counts the loads and stores that instrumented code makes, and prints them at the end.
// What cachegrind's data references are compared with. For programs of one module and one thread at a time.
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "lbhm/instrumentation.h"

namespace {

constexpr std::size_t entries = 4096;

std::vector<lbhm_emu_thread*>& threads() {
  static std::vector<lbhm_emu_thread*> all;
  return all;
}

/// `accesses` is complete: the plugin writes it back before every return.
void print() {
  std::uint64_t accesses = 0;
  for (const lbhm_emu_thread* const thread : threads()) accesses += thread->accesses;
  std::fprintf(stderr, "accesses: %" PRIu64 "\n", accesses);
}

}  // namespace

#pragma GCC visibility push(default)

/// Entries are dropped. The first call of a thread gives it its buffer, which lives as long as the process.
extern "C" void lbhm_emu_refill_v2(lbhm_emu_thread* thread) {
  if (!thread->owner) {
    thread->owner = std::malloc((entries + LBHM_EMU_SINK) * sizeof(std::uint64_t));
    if (!thread->owner) std::abort();
    thread->limit = static_cast<std::uint64_t*>(thread->owner) + entries;
    if (threads().empty()) std::atexit(print);
    threads().push_back(thread);
  }
  thread->next = static_cast<std::uint64_t*>(thread->owner);
}

extern "C" void lbhm_emu_range_v2(lbhm_emu_thread*, const void*, std::uint64_t, std::uint64_t) {}
extern "C" void lbhm_emu_module_v2(const lbhm_emu_site*, const lbhm_emu_site*) {}
extern "C" void lbhm_emu_order_v2(lbhm_emu_thread*) {}
extern "C" void lbhm_emu_order_end_v2(lbhm_emu_thread*) {}

#pragma GCC visibility pop
