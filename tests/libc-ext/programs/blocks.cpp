// Blocks of malloc's family, small and large, checked by the program itself. Each word of the command line is a case;
// the program ends with 1 and a line when something is not as the C library promises.
#include <dlfcn.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t KiB = 1024, MiB = 1024 * KiB;
// On both sides of the threshold (64 KiB), and of what malloc maps by itself (128 KiB).
constexpr std::size_t sizes[] = {
    1, 100, 4096, 60 * KiB, 64 * KiB - 1, 64 * KiB, 64 * KiB + 1, 100 * KiB + 3, 129 * KiB + 1, MiB + 5, 9 * MiB};

#define CHECK(what)                                                             \
  do {                                                                          \
    if (!(what)) {                                                              \
      std::printf("line %d: %s is false (errno %d)\n", __LINE__, #what, errno); \
      std::exit(1);                                                             \
    }                                                                           \
  } while (false)

/// The compiler must not know what is done with a block.
template <class T>
T* opaque(T* pointer) {
  asm volatile("" : "+r"(pointer)::"memory");
  return pointer;
}
std::size_t opaque(std::size_t number) {
  asm volatile("" : "+r"(number));
  return number;
}

unsigned char byte_at(std::size_t at, unsigned seed) { return static_cast<unsigned char>(at * 131 + at / 4096 + seed); }

void fill(void* block, std::size_t bytes, unsigned seed) {
  auto* const at = static_cast<unsigned char*>(opaque(block));
  for (std::size_t i = 0; i < bytes; ++i) at[i] = byte_at(i, seed);
}

bool holds(const void* block, std::size_t bytes, unsigned seed) {
  const auto* const at = static_cast<const unsigned char*>(opaque(block));
  for (std::size_t i = 0; i < bytes; ++i) {
    if (at[i] != byte_at(i, seed)) return false;
  }
  return true;
}

bool is_zero(const void* block, std::size_t bytes) {
  const auto* const at = static_cast<const unsigned char*>(opaque(block));
  for (std::size_t i = 0; i < bytes; ++i) {
    if (at[i] != 0) return false;
  }
  return true;
}

bool aligned(const void* block, std::size_t to) { return reinterpret_cast<std::uintptr_t>(block) % to == 0; }

void contents() {
  for (const std::size_t from : sizes) {
    for (const std::size_t to : sizes) {
      void* const before = opaque(std::malloc(from));
      CHECK(before && aligned(before, from < 16 ? 8 : 16) && malloc_usable_size(before) >= from);
      fill(before, from, 1);
      void* const after = opaque(std::realloc(before, to));
      CHECK(after && malloc_usable_size(after) >= to && holds(after, std::min(from, to), 1));
      fill(after, to, 2);
      CHECK(holds(after, to, 2));
      std::free(after);
    }
  }
  // Step by step, up and down.
  std::size_t bytes = 1000;
  void* block = std::malloc(bytes);
  fill(block, bytes, 3);
  for (int step = 0; step < 3000; ++step) {
    const std::size_t next = step < 1500 ? bytes + 997 : bytes - 997;
    block = opaque(std::realloc(block, next));
    CHECK(block && holds(block, std::min(bytes, next), 3));
    if (next > bytes) fill(block, next, 3);
    bytes = next;
  }
  std::free(block);
  for (const std::size_t count : {std::size_t{10}, std::size_t{20'000}, std::size_t{400'000}}) {
    void* array = opaque(reallocarray(nullptr, count, 8));
    fill(array, count * 8, 4);
    array = opaque(reallocarray(array, count * 2, 8));
    CHECK(array && holds(array, count * 8, 4));
    std::free(array);
  }
}

void zeroed() {
  for (int round = 0; round < 5; ++round) {
    for (const std::size_t bytes : sizes) {
      void* const block = opaque(std::calloc(bytes, 1));
      CHECK(block && is_zero(block, bytes));
      fill(block, bytes, 5);  // the next one may have the same pages
      std::free(block);
      void* const dirty = opaque(std::malloc(bytes));
      fill(dirty, bytes, 6);
      std::free(dirty);
    }
  }
}

void alignments() {
  for (std::size_t to = 8; to <= 4 * MiB; to *= 2) {
    for (const std::size_t bytes : sizes) {
      void* block = nullptr;
      CHECK(posix_memalign(&block, to, bytes) == 0 && aligned(block, to));
      fill(block, bytes, 7);
      CHECK(malloc_usable_size(block) >= bytes);
      block = opaque(std::realloc(block, bytes + 70 * KiB));
      CHECK(block && holds(block, bytes, 7));
      std::free(block);
      block = opaque(aligned_alloc(to, bytes));
      CHECK(block && aligned(block, to));
      std::free(block);
      block = opaque(memalign(to, bytes));
      CHECK(block && aligned(block, to));
      std::free(block);
    }
  }
  for (const std::size_t bytes : sizes) {
    void* const block = opaque(valloc(bytes));
    void* const pages = opaque(pvalloc(bytes));
    CHECK(aligned(block, 4096) && aligned(pages, 4096) && malloc_usable_size(pages) >= bytes);
    fill(pages, (bytes + 4095) / 4096 * 4096, 8);
    std::free(block);
    std::free(pages);
  }
  struct alignas(4096) Page {
    char bytes[4096];
  };
  auto many = std::make_unique<Page[]>(opaque(std::size_t{100}));
  CHECK(aligned(many.get(), 4096));
}

void limits() {
  void* const none = opaque(std::malloc(0));
  CHECK(none);
  std::free(none);
  std::free(nullptr);
  CHECK(malloc_usable_size(nullptr) == 0);
  for (const std::size_t bytes : {SIZE_MAX, SIZE_MAX / 2 + 1, std::size_t{PTRDIFF_MAX}, std::size_t{1} << 46}) {
    errno = 0;
    CHECK(!opaque(std::malloc(opaque(bytes))) && errno == ENOMEM);
    errno = 0;
    CHECK(!opaque(std::calloc(opaque(bytes), 2)) && errno == ENOMEM);
    errno = 0;
    CHECK(!opaque(reallocarray(nullptr, opaque(bytes), 4)) && errno == ENOMEM);
    for (const std::size_t had : {std::size_t{100}, MiB}) {
      void* const block = std::malloc(had);
      fill(block, had, 9);
      errno = 0;
      CHECK(!opaque(std::realloc(block, opaque(bytes))) && errno == ENOMEM && holds(block, had, 9));
      std::free(block);
    }
    void* untouched = &errno;
    CHECK(posix_memalign(&untouched, 64, opaque(bytes)) == ENOMEM && untouched == &errno);
  }
  void* untouched = &errno;
  CHECK(posix_memalign(&untouched, 24, MiB) == EINVAL && posix_memalign(&untouched, 4, MiB) == EINVAL);
  bool thrown = false;
  try {
    static_cast<void>(opaque(new char[opaque(std::size_t{1} << 46)]));
  } catch (const std::bad_alloc&) { thrown = true; }
  CHECK(thrown);
  for (const std::size_t bytes : sizes) {
    void* const block = opaque(std::malloc(bytes));
    errno = 77;
    std::free(block);
    CHECK(errno == 77);
  }
  void* const large = std::malloc(MiB);
  CHECK(opaque(std::realloc(opaque(large), opaque(std::size_t{0}))) == nullptr);
}

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

int wait_for(pid_t child) {
  int status = 0;
  CHECK(waitpid(child, &status, 0) == child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
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
    if (child == 0) {
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

volatile std::sig_atomic_t handled = 0;

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

void cpp() {
  std::map<int, std::string> texts;
  for (int i = 0; i < 20; ++i) texts[i] = std::string(opaque(std::size_t{50'000} * static_cast<std::size_t>(i)), 'x');
  std::vector<int> numbers;
  for (int i = 0; i < 1'000'000; ++i) numbers.push_back(i);
  for (int i = 0; i < 1'000'000; ++i) CHECK(numbers[static_cast<std::size_t>(i)] == i);
  for (int i = 0; i < 20; ++i) CHECK(texts[i].size() == 50'000u * static_cast<std::size_t>(i));
}

/// System calls read and write such blocks.
void system_calls() {
  int ends[2];
  CHECK(pipe(ends) == 0);
  void* const from = std::malloc(64 * KiB);
  void* const to = std::malloc(64 * KiB);
  fill(from, 64 * KiB, 6);
  for (std::size_t at = 0; at < 64 * KiB; at += 4096) {
    CHECK(write(ends[1], static_cast<char*>(from) + at, 4096) == 4096);
    CHECK(read(ends[0], static_cast<char*>(to) + at, 4096) == 4096);
  }
  CHECK(holds(to, 64 * KiB, 6));
  std::free(from);
  std::free(to);
}

/// An object has the size that was asked for; malloc rounds up what is odd.
bool is_object(std::size_t bytes) {
  void* const block = opaque(std::malloc(bytes));
  const bool exact = malloc_usable_size(block) == bytes && aligned(block, 4096);
  std::free(block);
  return exact;
}

/// Large blocks are objects. Not in a child of a fork, which has no LB-HM.
void objects() {
  CHECK(!is_object(64 * KiB - 1) && is_object(64 * KiB + 1) && is_object(MiB + 1));
  void* zero = opaque(std::calloc(100'001, 3));
  CHECK(malloc_usable_size(zero) == 300'003);
  zero = opaque(std::realloc(zero, 101));
  CHECK(zero && malloc_usable_size(zero) < KiB);
  zero = opaque(std::realloc(zero, 70'001));
  CHECK(zero && malloc_usable_size(zero) == 70'001);
  std::free(zero);
  const pid_t child = fork();
  if (child == 0) _exit(is_object(MiB + 1) ? 1 : 0);
  CHECK(wait_for(child) == 0);
}

/// libstdc++'s operator new asks malloc.
void new_objects() {
  auto* const numbers = opaque(new char[100'001]);
  CHECK(malloc_usable_size(numbers) == 100'001);
  delete[] numbers;
}

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

void at_exit() {
  std::atexit([] {
    void* const block = opaque(std::realloc(std::malloc(10), 2 * MiB));
    fill(block, 2 * MiB, 1);
    std::free(block);
  });
  CHECK(numbers_before_main[99'999] == 1.5);
}

const std::map<std::string, void (*)()> cases{
    {"contents", contents}, {"zeroed", zeroed},   {"alignments", alignments},   {"limits", limits},
    {"threads", threads},   {"forks", forks},     {"libraries", libraries},     {"signals", signals},
    {"cpp", cpp},           {"objects", objects}, {"new-objects", new_objects}, {"system-calls", system_calls},
    {"at-exit", at_exit},
};

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    cases.at(argv[i])();
    std::printf("%s: right\n", argv[i]);
  }
}
