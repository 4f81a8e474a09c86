#include "runtime/base/guarded.h"

#include <atomic>

#include "runtime/base/printable.h"

namespace lbhm {
namespace {

constinit std::atomic<std::uint64_t> without_memory{0};

}  // namespace

void note_no_memory() { without_memory.fetch_add(1, std::memory_order_relaxed); }

std::uint64_t times_without_memory() { return without_memory.load(std::memory_order_relaxed); }

void say(std::string_view sentence) { print_line("lbhm: ", sentence); }

}  // namespace lbhm
