#include "libomp-ext/ompt/parallel_data.h"

#include <array>
#include <atomic>
#include <new>
#include <utility>

#include "lbhm/own_memory.h"

namespace lbhm::openmp {
namespace {

/// Records are used again and never given back: an idle thread still finds those of its last region.
struct Record {
  std::array<ompt_data_t, 2> data{};
  Record* next = nullptr;  // the region around it, or the next spare one
};

/// Those of threads that ended. Whole chains go in and out, which needs no lock: a forked child may find it at any
/// time.
constinit std::atomic<Record*> left_behind{nullptr};

void leave_behind(Record* chain) {
  if (!chain) return;
  Record* last = chain;
  while (last->next) last = last->next;
  last->next = left_behind.load(std::memory_order_relaxed);
  while (!left_behind.compare_exchange_weak(last->next, chain, std::memory_order_release, std::memory_order_relaxed)) {}
}

struct Own {
  Record* forked = nullptr;
  Record* initial = nullptr;
  Record* spare = nullptr;

  Own() = default;
  Own(const Own&) = delete;
  Own& operator=(const Own&) = delete;
  ~Own() {
    leave_behind(std::exchange(spare, nullptr));
    leave_behind(std::exchange(initial, nullptr));
  }
};

thread_local Own own;
/// Where there was no memory for a record: what the tools write is forgotten.
constinit thread_local std::array<ompt_data_t, 2> lost{};

Record* take() {
  if (!own.spare) own.spare = left_behind.exchange(nullptr, std::memory_order_acquire);
  if (Record* const spare = own.spare) {
    own.spare = spare->next;
    *spare = {};
    return spare;
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
  if (!own.initial) own.initial = take();
  parallel.ptr = own.initial;
}

}  // namespace lbhm::openmp
