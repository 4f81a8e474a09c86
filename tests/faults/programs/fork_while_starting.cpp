// Forks while another thread makes its first allocations, from ever new places: LB-HM starts, opens libraries and looks
// at what is loaded. Each child looks at what is loaded, opens a library, and runs a region.
//
// Whoever looks takes long here (dl_iterate_phdr below), so that children meet it.
#include <dlfcn.h>
#include <link.h>

#include <atomic>
#include <cstdlib>
#include <memory>
#include <thread>

#include "tests/faults/programs/children.h"
#include "tests/faults/programs/program.h"

namespace {

using Look = int (*)(dl_phdr_info*, std::size_t, void*);
using Iterate = int(Look, void*);

Iterate* real_iterate() {
  static Iterate* const real = reinterpret_cast<Iterate*>(dlsym(RTLD_NEXT, "dl_iterate_phdr"));
  return real;
}

struct Slowly {
  Look look;
  void* data;
  bool waited;
};

int look_slowly(dl_phdr_info* info, std::size_t size, void* data) {
  auto& slowly = *static_cast<Slowly*>(data);
  if (!slowly.waited) usleep(3'000);
  slowly.waited = true;
  return slowly.look(info, size, slowly.data);
}

bool opens_a_library() {
  int loaded = 0;
  real_iterate()([](dl_phdr_info*, std::size_t, void* count) { return ++*static_cast<int*>(count), 0; }, &loaded);
  return loaded > 2 && dlopen("libBrokenLocale.so.1", RTLD_NOW);  // one of glibc's that nobody has
}

bool team_of_two() {
  int members = 0;
#pragma omp parallel num_threads(2) reduction(+ : members)
  ++members;
  return members == 2;
}

/// Each depth is another place.
[[gnu::noinline]] void* allocate_at(int depth, omp_allocator_handle_t allocator) {
  void* volatile block = depth > 0 ? allocate_at(depth - 1, allocator) : omp_alloc(100'000, allocator);
  return block;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int dl_iterate_phdr(Look look, void* data) {
  Slowly slowly{look, data, false};
  return real_iterate()(look_slowly, &slowly);
}

int main(int argc, char** argv) {
  const int forks = argc > 1 ? std::atoi(argv[1]) : 12;
  real_iterate();
  std::atomic<bool> stop{false};
  std::thread allocating([&] {
    if (!lbhm_config)
      return;  // libomp's would start libomp, and that alone hangs in children that are forked meanwhile
    const omp_allocator_handle_t allocator = faults::managed_allocator();
    for (int depth = 0; !stop; depth = (depth + 1) % 100) omp_free(allocate_at(depth, allocator), allocator);
  });
  faults::Children children;
  for (int i = 0; i < forks && children.all_well(); ++i)
    children.fork_one([] { return opens_a_library() && team_of_two(); });
  stop = true;
  allocating.join();
  team_of_two();  // now OpenMP begins here, too, and there is a report
  children.print();
  return faults::finish();
}
