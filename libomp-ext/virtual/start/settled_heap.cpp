// The program's heap before the program begins, when libomp has started and at the first region: as if nothing of it
// had been used.
//
// libomp keeps on the program's heap what it reads from variables and finds out about the computer, and it opens
// libmemkind, where that is installed, which with libnuma does the same from /proc and /sys. How large those blocks
// are, and what holes the freed ones leave, hangs on the computer, its kernel and the packages on it; with them would
// change where the program's blocks lie inside of lines and pages, and its virtual time (jacobi: by 4 % with libmemkind
// and without). So the holes are filled here, and what the program allocates from now on begins at a page.
#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <malloc.h>

#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>

#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/interpose/loaded_object.h"

namespace lbhm::openmp {
namespace {

constexpr std::size_t page = 4096;
/// glibc's malloc: chunks are multiples of 16 bytes and have a header of 8 that counts; up to 1,032 bytes they wait in
/// a cache of the thread.
constexpr std::size_t grain = 16, header = 8, smallest = 24, most_cached = 1032;
/// Larger holes are not looked for. Nothing was freed so far that is as large.
constexpr std::size_t largest = std::size_t{1} << 20;
/// Nobody left so many holes: what is behind us may be another malloc, with other rules.
constexpr int most_of_a_size = 4096;

/// An allocator of the program's own is left alone: it has other holes, and may have little memory.
bool is_glibcs() {
  const link_map* const first = real::object_of(dlsym(RTLD_DEFAULT, "malloc"));
  if (first == real::object_of(reinterpret_cast<const void*>(gnu_get_libc_version))) return true;
  return first && std::string_view(first->l_name).ends_with("/liblbhm-heap.so");
}

void* take(std::size_t bytes) {
  void* volatile block = std::malloc(bytes);  // the compiler must not leave it out
  return block;
}

/// All holes in front of `end` that blocks of so many bytes fit into.
void fill(std::size_t bytes, const void* end) {
  for (int i = 0; i < most_of_a_size; ++i) {
    void* const block = take(bytes);
    if (block != nullptr && std::less<>()(block, end)) continue;
    if (bytes > most_cached) std::free(block);  // joins the end of the heap again
    return;
  }
}

}  // namespace

void settle_heap() {
  if (!is_glibcs()) return;
  const void* const end = take(largest);  // larger than any hole, so behind them all
  if (end == nullptr) return;
  for (std::size_t bytes = largest / 2; bytes >= 2 * page * grain; bytes -= page) fill(bytes, end);
  for (std::size_t bytes = 2 * page * grain - header; bytes >= smallest; bytes -= grain) fill(bytes, end);
  const auto last = reinterpret_cast<std::uintptr_t>(take(smallest));
  const std::uintptr_t next = last + smallest + header;  // what a block would be given that comes now
  std::size_t left = (page - next % page) % page;
  if (left > 0 && left < smallest + header) left += page;
  if (last != 0 && left > 0) take(left - header);
}

void settle_heap_of_libomp() {
  dlerror();  // the second one releases what the first one returned
  dlerror();
  settle_heap();
}

}  // namespace lbhm::openmp
