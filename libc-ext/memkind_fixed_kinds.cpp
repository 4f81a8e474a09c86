// Kinds that the program makes of memory that it has. That may be a block of ours, and the kind's first block then has
// its address: as long as there is the kind, what lies in that memory is libmemkind's.
#include <pthread.h>

#include <array>
#include <atomic>

#include "libc-ext/memkind_blocks.h"
#include "runtime/interpose/export.h"

namespace lbhm::heap {
namespace {

struct Area {
  std::atomic<const char*> begin{nullptr};  ///< null: none
  std::atomic<const char*> end{nullptr};
  Kind kind = nullptr;  ///< with the mutex
};
constexpr std::size_t most = 512;  // MEMKIND_MAX_KIND of libmemkind
constinit std::array<Area, most> areas{};
constinit std::atomic<std::size_t> used{0};  ///< areas in front of this one have been some kind's
constinit pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

/// null: one that is free. With the mutex.
Area* area_of(Kind kind) {
  for (Area& area : areas)
    if (area.kind == kind) return &area;
  return nullptr;
}

void remember(Kind kind, const char* begin, std::size_t bytes) {
  pthread_mutex_lock(&mutex);
  if (Area* const area = area_of(nullptr)) {
    area->kind = kind;
    area->end.store(begin + bytes, std::memory_order_relaxed);
    area->begin.store(begin, std::memory_order_release);
    const auto behind = static_cast<std::size_t>(area - areas.data()) + 1;
    if (behind > used.load(std::memory_order_relaxed)) used.store(behind, std::memory_order_release);
  }
  pthread_mutex_unlock(&mutex);
}

void forget(Kind kind) {
  pthread_mutex_lock(&mutex);
  if (Area* const area = kind ? area_of(kind) : nullptr) {
    area->begin.store(nullptr, std::memory_order_relaxed);
    area->kind = nullptr;
  }
  pthread_mutex_unlock(&mutex);
}

}  // namespace

bool is_of_fixed_kind(const void* block) {
  for (std::size_t i = 0; i < used.load(std::memory_order_acquire); ++i) {
    const char* const begin = areas[i].begin.load(std::memory_order_acquire);
    if (begin && block >= begin && block < areas[i].end.load(std::memory_order_relaxed)) return true;
  }
  return false;
}

}  // namespace lbhm::heap

using namespace lbhm::heap;

LBHM_EXPORT int memkind_create_fixed(void* memory, std::size_t bytes, Kind* kind) {
  const RealMemkind* const real = real_memkind();
  if (!real || !real->create_fixed) return unavailable;
  const int status = real->create_fixed(memory, bytes, kind);
  if (status == 0) remember(*kind, static_cast<const char*>(memory), bytes);
  return status;
}

LBHM_EXPORT int memkind_destroy_kind(Kind kind) {
  const RealMemkind* const real = real_memkind();
  if (!real || !real->destroy_kind) return unavailable;
  forget(kind);
  return real->destroy_kind(kind);
}
