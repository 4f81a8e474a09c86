// Puts the program's main on a stack whose position inside its page is always the same.
//
// The kernel places the initial stack at a random multiple of 16 bytes, and the environment and the arguments stand
// above it. Which accesses of main share a cache line would then differ from run to run, and with it virtual time. So
// in virtual time, main is called below a page border, with copies of its arguments that begin at one (first_words.h).
// Everything else is placed by whole pages, which the emulator does not see.
//
// malloc is kept from mapping large blocks one by one for the same reason: the kernel aligns large mappings to huge
// pages, so which hole a block falls into would depend on the random base. The heap of brk has one layout. Only blocks
// that no footprint here comes near, as they are hardly touched, are mapped: there realloc would copy, and so touch,
// all that was never touched. They fall into no hole. And every thread gets an arena of its own: in shared ones (from 8
// threads a core on) blocks lie as their threads came.
//
// What remains is that lines are shared by the blocks that happen to lie side by side. LBHM_HEAP_PADDING moves all that
// the program allocates, static initialisers too: how far times spread over several paddings is how far they hang on
// it.
//
// glibc 2.34 gave __libc_start_main a new version without changing its arguments; both lead to one implementation.
#include <alloca.h>
#include <dlfcn.h>
#include <malloc.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>

#include "libomp-ext/virtual/start/first_words.h"
#include "libomp-ext/virtual/virtual_openmp.h"
#include "runtime/engine/engine.h"

namespace {

using Main = int(int, char**, char**);
using StartMain = int(Main*, int, char**, void (*)(), void (*)(), void (*)(), void*);

Main* real_main = nullptr;
constexpr std::uintptr_t page = 4096;
constexpr int most_arenas = 4096;
constexpr int least_mapped = 128 << 20;

/// With the program's own malloc, behind what the loader and libraries allocated. Never freed.
void pad_heap(std::uint64_t bytes) {
  void* volatile block = std::malloc(bytes);  // the compiler must not leave it out
  static_cast<void>(block);
}  // NOLINT(clang-analyzer-unix.Malloc): it stays

int main_at_page_border(int argc, char** argv, char** environment) {
  // So far below the border, whatever the compiler keeps on this function's stack.
  constexpr std::uintptr_t below = 0x70;
  char** const words = lbhm::openmp::words_at_pages(argc, argv);
  if (environment == argv + argc + 1) environment = words + argc + 1;  // else somebody has changed it
  if (environ == argv + argc + 1) environ = environment;
  const auto here = reinterpret_cast<std::uintptr_t>(alloca(1));
  // What lies between here and the border is never used; the compiler must not leave it out.
  auto* volatile filler = static_cast<char*>(alloca((here + below) % page + page));
  filler[0] = 0;
  return real_main(argc, words, environment);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int __libc_start_main(Main* main, int argc, char** argv,
                                                                        void (*init)(), void (*fini)(),
                                                                        void (*rtld_fini)(), void* stack_end) {
  const auto next = reinterpret_cast<StartMain*>(dlsym(RTLD_NEXT, "__libc_start_main"));
  if (!lbhm::engine::follows_all_waits()) return next(main, argc, argv, init, fini, rtld_fini, stack_end);
  mallopt(M_MMAP_THRESHOLD, least_mapped);
  mallopt(M_ARENA_MAX, most_arenas);
  lbhm::openmp::settle_heap();  // the loader and libraries used it
  if (const lbhm::Bytes padding = lbhm::engine::heap_padding(); padding.value > 0) pad_heap(padding.value);
  real_main = main;
  return next(main_at_page_border, argc, argv, init, fini, rtld_fini, stack_end);
}
