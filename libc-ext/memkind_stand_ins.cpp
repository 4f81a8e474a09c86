#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>

#include "libc-ext/large_blocks.h"
#include "libc-ext/real_memkind.h"

namespace lbhm::heap {
namespace {

/// Of address space; pages take memory when they are used. When it is full, blocks are of the kind of ordinary memory.
constexpr std::size_t area_bytes = std::size_t{16} << 30;

struct Place {
  std::atomic<Kind> kind{nullptr};  ///< null: not asked yet
  std::atomic<const char*> area{nullptr};
};
constinit Place places[no_wish]{};
constinit pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

bool may_stand_in(const RealMemkind& real) {
  const bool placing = is_large(SIZE_MAX - 1);
  return placing && real.create_fixed && !std::getenv("MEMKIND_HEAP_MANAGER");  // others know no such kinds
}

/// Null: there is none.
Kind stand_in(const RealMemkind& real, Place& place) {
  if (!may_stand_in(real)) return nullptr;
  // Not by mmap, which would take it for memory of the program's.
  const long mapped = syscall(SYS_mmap, nullptr, area_bytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == -1) return nullptr;
  auto* const area = reinterpret_cast<char*>(mapped);  // NOLINT(performance-no-int-to-ptr)
  Kind kind = nullptr;
  if (real.create_fixed(area, area_bytes, &kind) != 0) {
    syscall(SYS_munmap, area, area_bytes);
    return nullptr;
  }
  place.area.store(area, std::memory_order_release);
  return kind;
}

Kind find(const RealMemkind& real, std::size_t wish) {
  const Kind ordinary = kind_of(default_wish), wanted = kind_of(wish);
  // Ordinary memory is there always; asking would begin the kind, and then it has no statistics until it is used.
  const bool there = wanted && (wishes[wish].tier < 0 || real.check_available(wanted) == 0);
  if (there) return wanted;
  const Kind instead = stand_in(real, places[wish]);
  return instead ? instead : ordinary;
}

}  // namespace

Kind kind_at_hand(std::size_t wish) {
  const RealMemkind* const real = real_memkind();
  if (!real) return nullptr;
  std::atomic<Kind>& known = places[wish].kind;
  if (const Kind kind = known.load(std::memory_order_acquire)) return kind;
  const int before = errno;
  pthread_mutex_lock(&mutex);
  Kind kind = known.load(std::memory_order_relaxed);
  if (!kind) known.store(kind = find(*real, wish), std::memory_order_release);
  pthread_mutex_unlock(&mutex);
  errno = before;
  return kind;
}

std::size_t wish_at(const void* address) {
  for (std::size_t wish = 0; wish < no_wish; ++wish) {
    const char* const area = places[wish].area.load(std::memory_order_acquire);
    if (area && address >= area && address < area + area_bytes) return wish;
  }
  return no_wish;
}

const char* end_of_stand_in(std::size_t wish) { return places[wish].area + area_bytes; }

}  // namespace lbhm::heap
