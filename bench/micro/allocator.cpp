// Allocate, touch one byte in every page, free; by size and number of threads. The first argument says through which
// interface: malloc (of whichever library is preloaded), omp (omp_alloc), memkind (MEMKIND_DEFAULT), memkind-fixed (a
// kind in memory that the caller brings) or tier (what LB-HM has for small objects of a tier, in memory of this node)
// and tier-memkind (the same with LBHM_HEAP=memkind).
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <omp.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/base/own_folder.h"
#include "runtime/host/memory_calls.h"
#include "runtime/host/modules.h"
#include "runtime/host/tier_heaps.h"

namespace {

constexpr std::size_t own_memory = 8 * lbhm::host::heap_grain;

void* map_own_memory() {
  using namespace lbhm;
  return host::map_aligned(Bytes(own_memory), Bytes(4096), Bytes(host::heap_grain), MAP_NORESERVE);
}

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

  static bool load(bool fixed) {
    void* const library = dlopen("libmemkind.so.0", RTLD_NOW);
    if (library == nullptr) return false;
    void** const default_kind = static_cast<void**>(dlsym(library, "MEMKIND_DEFAULT"));
    if (default_kind == nullptr) return false;
    kind = *default_kind;
    memkind_malloc = reinterpret_cast<decltype(memkind_malloc)>(dlsym(library, "memkind_malloc"));
    memkind_free = reinterpret_cast<decltype(memkind_free)>(dlsym(library, "memkind_free"));
    if (fixed) {
      auto* const create =
          reinterpret_cast<int (*)(void*, std::size_t, void**)>(dlsym(library, "memkind_create_fixed"));
      if (create == nullptr || create(map_own_memory(), own_memory, &kind) != 0) return false;
    }
    return memkind_malloc != nullptr && memkind_free != nullptr;
  }
  static void* allocate(std::size_t bytes) { return memkind_malloc(kind, bytes); }
  static void release(void* address) { memkind_free(kind, address); }
};

struct Tier {
  static inline lbhm::host::TierHeap* heap = nullptr;

  static bool load(const char* file) {
    using namespace lbhm::host;
    const auto entry = open_module(lbhm::own_folder() + "/../lib", file, heap_module_entry, "that it names");
    if (!entry) return false;
    const HeapModule* const module = reinterpret_cast<HeapModuleEntry>(*entry)();
    if (module == nullptr) return false;
    auto* const begin = static_cast<std::byte*>(map_own_memory());
    heap = &TierHeap::make({begin, own_memory, [](std::byte*, std::size_t) { return true; }}, *module, 0);
    return heap->usable();
  }
  static void* allocate(std::size_t bytes) { return heap->allocate(bytes); }
  static void release(void* address, std::size_t bytes) { heap->release(address, bytes); }
};

template <class Interface>
void release(void* address, std::size_t bytes) {
  if constexpr (requires { Interface::release(address, bytes); })
    Interface::release(address, bytes);
  else
    Interface::release(address);
}

template <class Interface>
void allocate_touch_free(benchmark::State& state) {
  const auto bytes = static_cast<std::size_t>(state.range(0));
  release<Interface>(Interface::allocate(bytes), bytes);  // the first call of a thread sets things up
  for (auto _ : state) {
    auto* const block = static_cast<volatile char*>(Interface::allocate(bytes));
    if (block == nullptr) {
      state.SkipWithError("no memory");
      break;
    }
    for (std::size_t i = 0; i < bytes; i += 4096) block[i] = 1;
    release<Interface>(const_cast<char*>(block), bytes);
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

int not_installed(const char* library) {
  std::fprintf(stderr, "bench-allocator: %s cannot be used\n", library);
  return 3;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view interface = argc > 1 ? argv[1] : "";
  if (interface == "malloc") {
    register_all<Malloc>();
  } else if (interface == "omp") {
    register_all<Omp>();
  } else if (interface == "memkind" || interface == "memkind-fixed") {
    if (!Memkind::load(interface == "memkind-fixed")) return not_installed("libmemkind.so.0");
    register_all<Memkind>();
  } else if (interface == "tier" || interface == "tier-memkind") {
    const char* const module = interface == "tier" ? "liblbhm-mimalloc.so" : "liblbhm-memkind.so";
    if (!Tier::load(module)) return not_installed(module);
    register_all<Tier>();
  } else {
    std::fputs(
        "Usage: bench-allocator malloc|omp|memkind|memkind-fixed|tier|tier-memkind [Google Benchmark's options]\n",
        stderr);
    return 2;
  }
  --argc;
  argv[1] = argv[0];
  ++argv;
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
