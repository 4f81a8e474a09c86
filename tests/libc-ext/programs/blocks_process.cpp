// What a process does beside: threads, children, libraries that come and go, signals, its begin and its end.
#include <dlfcn.h>
#include <pthread.h>

#include <atomic>
#include <csignal>
#include <thread>
#include <utility>
#include <vector>

#include "blocks.h"

void threads() {
  std::atomic<void*> handed{nullptr};
  std::vector<std::thread> all;
  for (unsigned id = 0; id < 4; ++id) {
    all.emplace_back([&handed, id] {
      std::vector<std::pair<void*, std::size_t>> mine;
      for (unsigned i = 0; i < 400; ++i) {
        const std::size_t bytes = sizes[(i * 7 + id) % 10];
        void* const block = std::malloc(bytes);
        fill(block, std::min(bytes, 2 * KiB), id);
        mine.emplace_back(block, bytes);
        std::free(handed.exchange(std::malloc(70 * KiB)));  // somebody else's
        if (i % 3 == 0) {
          CHECK(holds(mine.back().first, std::min(mine.back().second, 2 * KiB), id));
          std::free(mine.back().first);
          mine.pop_back();
        }
      }
      for (const auto& [block, bytes] : mine) {
        CHECK(holds(block, std::min(bytes, 2 * KiB), id));
        std::free(block);
      }
    });
  }
  for (std::thread& thread : all) thread.join();
  std::free(handed);
}

[[noreturn]] void child_of_forks(void* large, void* growing, const void* kept) {
  CHECK(holds(large, MiB, 3) && malloc_usable_size(large) >= MiB && holds(kept, 80 * KiB, 2));
  growing = std::realloc(growing, 3 * MiB);
  CHECK(growing && holds(growing, 200 * KiB, 4));
  std::free(growing);
  std::free(large);
  void* const own = std::calloc(2 * MiB, 1);
  CHECK(is_zero(own, 2 * MiB));
  std::free(own);
  const pid_t grandchild = fork();
  if (grandchild == 0) _exit(opaque(std::malloc(MiB)) ? 0 : 1);
  _exit(wait_for(grandchild));
}

/// While other threads allocate, free and hold locks. Children use what their parent had, and get memory of their own.
void forks() {
  // Before and behind those of LB-HM in the child: they allocate as programs' handlers do.
  static void* kept = std::malloc(80 * KiB);
  pthread_atfork(
      [] {
        std::free(kept);
        kept = std::malloc(80 * KiB);
      },
      [] { fill(kept, 80 * KiB, 1); }, [] { fill(kept, 80 * KiB, 2); });
  std::atomic<bool> over{false};
  std::vector<std::thread> others;
  for (int i = 0; i < 3; ++i) {
    others.emplace_back([&over] {
      for (std::size_t n = 0; !over; ++n) std::free(opaque(std::malloc(sizes[n % 10])));
    });
  }
  for (int round = 0; round < 25; ++round) {
    void* large = std::malloc(MiB);
    void* growing = std::malloc(200 * KiB);
    fill(large, MiB, 3);
    fill(growing, 200 * KiB, 4);
    const pid_t child = fork();
    if (child == 0) child_of_forks(large, growing, kept);
    CHECK(child > 0 && wait_for(child) == 0);
    CHECK(holds(large, MiB, 3) && holds(growing, 200 * KiB, 4) && holds(kept, 80 * KiB, 1));
    std::free(large);
    std::free(growing);
  }
  over = true;
  for (std::thread& thread : others) thread.join();
}

/// A library that allocates when it is loaded and when it goes, and leaves a block behind.
void libraries() {
  const char* const file = std::getenv("BLOCKS_LIBRARY");
  CHECK(file);
  for (int round = 0; round < 20; ++round) {
    CHECK(!dlopen("there is no such library", RTLD_NOW));  // leaves the text of an error
    void* const library = dlopen(file, RTLD_NOW);
    CHECK(library);
    using Make = void*(std::size_t);
    auto* const make = reinterpret_cast<Make*>(dlsym(library, "make_block"));
    CHECK(make && !dlsym(library, "no_such_symbol"));
    void* const block = make(MiB);
    fill(block, MiB, 5);
    CHECK(dlclose(library) == 0);
    CHECK(holds(block, MiB, 5));
    std::free(block);
  }
  CHECK(dlerror() || true);
}

namespace {
volatile std::sig_atomic_t handled = 0;
}  // namespace

/// Handlers that take memory where the program is between calls of malloc, as many programs' do.
void signals() {
  struct sigaction action{};
  action.sa_handler = [](int) {
    void* const block = std::malloc(100 * KiB);
    fill(block, KiB, 1);
    std::free(block);
    handled = handled + 1;
  };
  sigaction(SIGUSR1, &action, nullptr);
  for (int i = 0; i < 200; ++i) {
    void* const block = opaque(std::malloc(70 * KiB));
    raise(SIGUSR1);
    std::free(block);
  }
  CHECK(handled == 200);
}

namespace {

/// What is there before main and behind it.
struct Lasting {
  Lasting() : block(std::malloc(300 * KiB)) { fill(block, 300 * KiB, 7); }
  ~Lasting() {
    if (!holds(block, 300 * KiB, 7)) _exit(3);
    std::free(block);
    void* const late = opaque(std::calloc(MiB, 1));  // after the report, for LB-HM's destructors ran first
    if (!is_zero(late, MiB)) _exit(4);
    std::free(late);
  }
  void* block;
};
const Lasting lasting;
const std::vector<double> numbers_before_main(100'000, 1.5);

}  // namespace

void at_exit() {
  std::atexit([] {
    void* const block = opaque(std::realloc(std::malloc(10), 2 * MiB));
    fill(block, 2 * MiB, 1);
    std::free(block);
  });
  CHECK(numbers_before_main[99'999] == 1.5);
}
