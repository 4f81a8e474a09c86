// Allocate, touch one byte in every page, free; by size and number of threads. The first argument says through which
// interface: malloc (of whichever library is preloaded), omp (omp_alloc) or memkind (MEMKIND_DEFAULT).
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

struct Malloc {
  static void* allocate(std::size_t bytes) { return std::malloc(bytes); }
  static void release(void* address) { std::free(address); }
};

struct Omp {
  static void* allocate(std::size_t bytes) { return omp_alloc(bytes, omp_default_mem_alloc); }
  static void release(void* address) { omp_free(address, omp_default_mem_alloc); }
};

/// Loaded by hand: the program must start without it.
struct Memkind {
  static inline void* kind = nullptr;
  static inline void* (*memkind_malloc)(void*, std::size_t) = nullptr;
  static inline void (*memkind_free)(void*, void*) = nullptr;

  static bool load() {
    void* const library = dlopen("libmemkind.so.0", RTLD_NOW);
    if (library == nullptr) return false;
    void** const default_kind = static_cast<void**>(dlsym(library, "MEMKIND_DEFAULT"));
    if (default_kind == nullptr) return false;
    kind = *default_kind;
    memkind_malloc = reinterpret_cast<decltype(memkind_malloc)>(dlsym(library, "memkind_malloc"));
    memkind_free = reinterpret_cast<decltype(memkind_free)>(dlsym(library, "memkind_free"));
    return memkind_malloc != nullptr && memkind_free != nullptr;
  }
  static void* allocate(std::size_t bytes) { return memkind_malloc(kind, bytes); }
  static void release(void* address) { memkind_free(kind, address); }
};

template <class Interface>
void allocate_touch_free(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  Interface::release(Interface::allocate(bytes));  // the first call of a thread sets things up
  for (auto _ : state) {
    auto* const block = static_cast<volatile char*>(Interface::allocate(bytes));
    if (block == nullptr) {
      state.SkipWithError("no memory");
      break;
    }
    for (std::size_t i = 0; i < bytes; i += 4096) block[i] = 1;
    Interface::release(const_cast<char*>(block));
  }
}

template <class Interface>
void register_all() {
  for (const int threads : {1, 2}) {
    benchmark::RegisterBenchmark("allocate_touch_free", allocate_touch_free<Interface>)
        ->Arg(64)
        ->Arg(1024)
        ->Arg(65536)
        ->Threads(threads)
        ->UseRealTime();
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view interface = argc > 1 ? argv[1] : "";
  if (interface == "malloc") {
    register_all<Malloc>();
  } else if (interface == "omp") {
    register_all<Omp>();
  } else if (interface == "memkind") {
    if (!Memkind::load()) {
      std::fprintf(stderr, "bench-allocator: %s\n", dlerror());
      return 3;  // not installed: the runner leaves it out
    }
    register_all<Memkind>();
  } else {
    std::fputs("Usage: bench-allocator malloc|omp|memkind [Google Benchmark's options]\n", stderr);
    return 2;
  }
  --argc;
  argv[1] = argv[0];
  ++argv;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
