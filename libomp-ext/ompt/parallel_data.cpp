#include "libomp-ext/ompt/parallel_data.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <new>
#include <utility>

#include "runtime/own_memory/own_memory.h"

namespace lbhm::openmp {
namespace {

/// Records are used again and never given back: an idle thread still finds those of its last region.
struct Record {
  std::array<ompt_data_t, 2> data{};
  std::atomic<Record*> next{nullptr};  // the region around it, or the next spare one

  void renew() {
    data = {};
    next.store(nullptr, std::memory_order_relaxed);
  }
};

/// Those of threads that ended. Without a lock, for a forked child may find it at any time. The upper 16 bits, which no
/// address of ours has, count the changes: a record that was taken and came back is not mistaken for itself.
constinit std::atomic<std::uintptr_t> left_behind{0};
constexpr std::uintptr_t change = std::uintptr_t{1} << 48;

// NOLINTNEXTLINE(performance-no-int-to-ptr)
Record* record_of(std::uintptr_t top) { return reinterpret_cast<Record*>(top & (change - 1)); }

std::uintptr_t top_of(const Record* record, std::uintptr_t before) {
  return reinterpret_cast<std::uintptr_t>(record) | ((before & ~(change - 1)) + change);
}

void leave_behind(Record* record) {
  std::uintptr_t top = left_behind.load(std::memory_order_relaxed);
  do record->next.store(record_of(top), std::memory_order_relaxed);
  while (!left_behind.compare_exchange_weak(top, top_of(record, top), std::memory_order_release,
                                            std::memory_order_relaxed));
}

Record* take_left_behind() {
  std::uintptr_t top = left_behind.load(std::memory_order_acquire);
  while (Record* const record = record_of(top)) {
    // It may be another thread's by now, and its `next` no spare one: then the exchange fails.
    Record* const next = record->next.load(std::memory_order_relaxed);
    if (left_behind.compare_exchange_weak(top, top_of(next, top), std::memory_order_acquire)) return record;
  }
  return nullptr;
}

struct Own {
  Record* forked = nullptr;
  Record* initial = nullptr;
  Record* spare = nullptr;

  Own() = default;
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() {
    while (Record* const record = spare) {
      spare = record->next;
      leave_behind(record);
    }
    if (initial) leave_behind(std::exchange(initial, nullptr));
  }
};

thread_local Own own;
/// Where there was no memory for a record: what the tools write is forgotten.
constinit thread_local std::array<ompt_data_t, 2> lost{};

Record* take() {
  Record* record = own.spare;
  if (record)
    own.spare = record->next;
  else
    record = take_left_behind();
  if (record) {
    record->renew();
    return record;
  }
  void* const memory = own_memory::allocate(sizeof(Record));
  return memory ? new (memory) Record : nullptr;
}

}  // namespace

ompt_data_t* data_of(Tool tool, const ompt_data_t* parallel) {
  if (!parallel) return nullptr;
  if (auto* const record = static_cast<Record*>(parallel->ptr)) return &record->data[tool];
  lost[tool] = {};
  return &lost[tool];
}

void parallel_data_begin(ompt_data_t& parallel) {
  Record* const record = take();
  if (record) record->next = std::exchange(own.forked, record);
  parallel.ptr = record;
}

ompt_data_t forked_parallel_data() { return {.ptr = own.forked}; }

void parallel_data_end() {
  Record* const record = own.forked;
  if (!record) return;
  own.forked = record->next;
  record->next = std::exchange(own.spare, record);
}

void initial_data_begin(ompt_data_t& parallel) {
  if (parallel.ptr) return;  // of a team of a teams construct
  if (!own.initial)
    own.initial = take();
  else  // a forked child, whose libomp begins anew
    own.initial->data = {};
  parallel.ptr = own.initial;
}

}  // namespace lbhm::openmp
