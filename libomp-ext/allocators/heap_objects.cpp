#include "libomp-ext/allocators/heap_objects.h"

#include <algorithm>
#include <cerrno>

#include "libomp-ext/allocators/allocator_table.h"
#include "libomp-ext/allocators/blocks.h"
#include "libomp-ext/allocators/chunk_header.h"
#include "runtime/engine/engine.h"
#include "runtime/interpose/export.h"
#include "runtime/own_memory/inside.h"

using namespace lbhm;
using namespace lbhm::allocators;

namespace {

class KeepErrno {
 public:
  KeepErrno() = default;
  ~KeepErrno() { errno = before_; }
  KeepErrno(const KeepErrno&) = delete;
  KeepErrno& operator=(const KeepErrno&) = delete;

 private:
  const int before_ = errno;
};

/// In virtual time there is no room for a header: objects lie side by side, and times hang on it. Children of fork,
/// which have no engine, are to know it, too.
constinit bool have_headers = false;

/// Null: there was no memory to remember it with. Blocks that were kept have their header.
void* with_header(void* address, const Block& block, std::size_t alignment) {
  if (!remember(address, block)) return nullptr;
  if (!have_headers) return address;
  ChunkHeader& header = ChunkHeader::of(address);
  if (!header.is_for(block.bytes))
    header = {.before = std::max(alignment, ChunkHeader::page) - sizeof header,
              .size = ChunkHeader::size_for(block.bytes)};
  return address;
}

/// Glibc has the block's pages by now, or had them: it was given back or moved past us.
bool is_gone(const void* address, const Block& block) {
  return have_headers && !ChunkHeader::of(address).is_for(block.bytes);
}

Block recall_heap(const void* address) {
  const Block block = recall(address);
  return block.source != Source::heap || is_gone(address, block) ? Block{} : block;
}

}  // namespace

LBHM_EXPORT std::size_t lbhm_heap_begin() {
  const KeepErrno keep;
  const Bytes minimum = engine::heap_minimum();
  have_headers = !engine::follows_all_waits();
  lbhm_heap_library_gone();
  return minimum.value;
}

LBHM_EXPORT void lbhm_heap_library_comes() { engine::modules_change(); }

LBHM_EXPORT void lbhm_heap_library_gone() {
  const KeepErrno keep;
  const bool wanted = engine::mapping_minimum() < Bytes(UINT64_MAX);
  if (wanted && !inside() && !forking_here()) engine::follow_modules();
}

LBHM_EXPORT void lbhm_heap_own_allocator(const char* file) {
  const KeepErrno keep;
  engine::keeps_own_allocator(file);
}

LBHM_EXPORT void* lbhm_heap_allocate(std::size_t bytes, std::size_t alignment, const void* caller, int zeroed) {
  const KeepErrno keep;
  if (forking_here()) return nullptr;
  void* const address = engine::allocate_heap_object(Bytes(bytes), Bytes(alignment), caller, zeroed != 0);
  if (address == nullptr) return nullptr;
  if (with_header(address, {.source = Source::heap, .bytes = bytes}, alignment)) return address;
  engine::release_heap_object(address);
  return nullptr;
}

LBHM_EXPORT void* lbhm_heap_allocate_in(std::size_t bytes, std::size_t alignment, int tier, std::size_t mark) {
  const KeepErrno keep;
  // As for other blocks of the heap: which lane comes first would decide where it lies.
  if (forking_here() || inside() || (engine::follows_all_waits() && engine::lane_name())) return nullptr;
  const engine::MemoryTraits traits{.managed = true, .tier_hint = tier, .header = true};
  void* const address = engine::allocate_object(Bytes(bytes), Bytes(alignment), traits);
  if (address == nullptr) return nullptr;
  const Block block{.source = Source::heap, .bytes = bytes, .mark = mark};
  if (with_header(address, block, alignment)) return address;
  engine::release_object(address);
  return nullptr;
}

LBHM_EXPORT std::size_t lbhm_heap_mark(const void* address) {
  const KeepErrno keep;
  return recall_heap(address).mark;
}

LBHM_EXPORT const void* lbhm_heap_marked_around(const void* address, std::size_t* mark) {
  const KeepErrno keep;
  const void* end = nullptr;
  for_each_remembered([&](const void* block, const Block& known) {
    const char* const begin = static_cast<const char*>(block);
    if (known.mark == 0 || address < begin || address >= begin + known.bytes) return;
    end = begin + known.bytes;
    *mark = known.mark;
  });
  return end;
}

LBHM_EXPORT void lbhm_heap_add_marked(std::size_t* bytes, std::size_t* pages, std::size_t marks) {
  const KeepErrno keep;
  for_each_remembered([&](const void*, const Block& known) {
    if (known.mark == 0 || known.mark >= marks) return;
    bytes[known.mark] += known.bytes;
    pages[known.mark] += (known.bytes + page_bytes - 1) / page_bytes * page_bytes;
  });
}

LBHM_EXPORT int lbhm_heap_release(void* address) {
  const KeepErrno keep;
  if (forking_here()) return lbhm_heap_bytes(address) > 0;  // it stays: nothing of ours can change now
  const Block block = forget(address, Of::malloc);
  if (block.source == Source::nobody || is_gone(address, block)) return 0;
  const std::size_t front = have_headers ? ChunkHeader::of(address).front() : 0;
  const bool known = block.mark ? engine::release_object(address) : engine::release_heap_object(address);
  if (!known) unmap_pages(address, block.bytes, front);
  return 1;
}

LBHM_EXPORT std::size_t lbhm_heap_bytes(const void* address) {
  const KeepErrno keep;
  return recall_heap(address).bytes;
}

// Small blocks.

__thread void* lbhm_heap_of_thread __attribute__((visibility("default"))) = nullptr;

LBHM_EXPORT std::size_t lbhm_heap_arena_minimum(void (*lanes_rest)(), int* turns) {
  const KeepErrno keep;
  *turns = engine::follows_all_waits() ? 1 : 0;
  const Bytes minimum = engine::arena_minimum();
  if (*turns && minimum < Bytes(UINT64_MAX)) engine::when_lanes_rest(lanes_rest);
  return minimum.value;
}

LBHM_EXPORT unsigned lbhm_heap_team_size() { return engine::team_size(); }

LBHM_EXPORT int lbhm_heap_calls(const void* caller, lbhm_heap_call* calls, int most, std::uint64_t* site) {
  const KeepErrno keep;
  if (forking_here()) return LBHM_HEAP_NOT_NOW;
  CallsOnStack found;
  const SiteId known = engine::site_of_small_blocks(caller, found);
  if (found.count == 0) return found.of_system ? LBHM_HEAP_NEVER : LBHM_HEAP_NOT_NOW;
  if (!known.value || found.count > most) return LBHM_HEAP_UNREADABLE;
  for (int i = 0; i < found.count; ++i) {
    const CallsOnStack::Call& call = found.calls[static_cast<std::size_t>(i)];
    // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of code and of stacks
    calls[i] = {.at = reinterpret_cast<const void*>(call.at), .address = reinterpret_cast<const void*>(call.address)};
  }
  *site = known.value;
  return found.count;
}

LBHM_EXPORT void* lbhm_heap_arena(std::size_t bytes, std::uint64_t site) {
  const KeepErrno keep;
  return forking_here() ? nullptr : engine::allocate_arena(Bytes(bytes), SiteId{site});
}

LBHM_EXPORT void lbhm_heap_arena_gone(void* pages) {
  const KeepErrno keep;
  if (!forking_here()) engine::release_object(pages);  // in a child they stay as they are
}
