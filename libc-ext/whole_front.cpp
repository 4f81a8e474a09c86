#include "libc-ext/whole_front.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <utility>

#include "libc-ext/process_malloc.h"
#include "libomp-ext/allocators/heap_objects.h"
#include "runtime/interpose/loaded_object.h"

namespace lbhm::heap {

constinit void* (*realloc_in_front)(void*, std::size_t) = nullptr;

namespace {

template <class Function>
const link_map* object_with(Function* function) {
  return real::object_of(reinterpret_cast<const void*>(function));
}

/// The first object, from the start of the program on, that has a function of the family and is not ours; null: none.
const link_map* in_front() {
  for (const char* name :
       {"malloc", "calloc", "realloc", "free", "posix_memalign", "aligned_alloc", "memalign", "malloc_usable_size"}) {
    const link_map* const first = real::object_of(dlsym(RTLD_DEFAULT, name));
    if (first != object_with(front_is_whole)) return first;
  }
  return nullptr;
}

/// The one that what comes to us goes on to; null: glibc.
const link_map* behind_us() {
  process.free(nullptr);  // finds all of them, if nothing has before
  for (const link_map* const next :
       {object_with(process.malloc), object_with(process.calloc), object_with(process.realloc),
        object_with(process.free), object_with(process.posix_memalign), object_with(process.aligned_alloc),
        object_with(process.memalign), object_with(process.malloc_usable_size)})
    if (next != object_with(gnu_get_libc_version)) return next;
  return nullptr;
}

// What comes to us goes on to `process`: these stand there while we look what comes.

constinit ProcessMalloc real_ones{};
constinit unsigned arrived = 0;

void* note_malloc(std::size_t bytes) {
  arrived |= 1;
  return real_ones.malloc(bytes);
}
void* note_calloc(std::size_t count, std::size_t bytes) {
  arrived |= 2;
  return real_ones.calloc(count, bytes);
}
void* note_realloc(void* block, std::size_t bytes) {
  arrived |= 4;
  return real_ones.realloc(block, bytes);
}
void note_free(void* block) {
  arrived |= 8;
  real_ones.free(block);
}
int note_posix_memalign(void** block, std::size_t alignment, std::size_t bytes) {
  arrived |= 16;
  return real_ones.posix_memalign(block, alignment, bytes);
}
std::size_t note_usable_size(void* block) {
  arrived |= 32;
  return real_ones.malloc_usable_size(block);
}
constexpr unsigned all_of_them = 63;

/// What the program asks for comes to us. Stops at the first that does not: a function that a program does not have
/// itself, as of blocks that are aligned, answers with a block of the libc's, which the program's free may not know.
bool asks_arrive() {
  void* block = malloc(64);
  if (arrived != 1) {
    if (real::object_of(dlsym(RTLD_DEFAULT, "free")) == real::object_of(dlsym(RTLD_DEFAULT, "malloc"))) free(block);
    return false;
  }
  block = realloc(block, 128);
  const bool usable = malloc_usable_size(block) > 0;
  free(block);
  if (!usable || arrived != (1 | 4 | 8 | 32)) return false;
  free(calloc(1, 64));
  void* aligned = nullptr;
  if (posix_memalign(&aligned, 64, 64) == 0) free(aligned);
  return arrived == all_of_them;
}

/// Whoever stands in front hands on what the program asks for.
bool all_arrives() {
  real_ones = process;
  process.malloc = note_malloc;
  process.calloc = note_calloc;
  process.realloc = note_realloc;
  process.free = note_free;
  process.posix_memalign = note_posix_memalign;
  process.malloc_usable_size = note_usable_size;
  const bool all = asks_arrive();
  process = real_ones;
  return all;
}

}  // namespace

bool front_is_whole() {
  const link_map* owner = behind_us();
  if (!owner) {
    owner = in_front();
    if (owner && all_arrives()) owner = nullptr;
  }
  auto* const first = reinterpret_cast<decltype(realloc_in_front)>(dlsym(RTLD_DEFAULT, "realloc"));
  if (owner && object_with(first) != object_with(front_is_whole)) realloc_in_front = first;
  if (owner) lbhm_heap_own_allocator(owner->l_name);
  return owner == nullptr;
}

}  // namespace lbhm::heap
