// Blocks of malloc's family, small and large, checked by the program itself. Each word of the command line is a case;
// the program ends with 1 and a line when something is not as the C library promises.
#include <cstring>
#include <map>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "blocks.h"

namespace {

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

/// What was allocated before LB-HM began is malloc's, and goes back there.
void before() {
  void* const block = block_from_before();
  CHECK(malloc_usable_size(block) > 300'001);  // malloc rounds up what is odd; objects are exact
  const auto is_nine = [](const void* at) { return static_cast<const char*>(at)[0] == 9; };
  CHECK(is_nine(block));
  void* const larger = opaque(std::realloc(block, 900'001));
  CHECK(larger && is_nine(larger) && static_cast<const char*>(larger)[300'000] == 9);
  std::free(larger);
}

const std::map<std::string, void (*)()> cases{
    {"contents", contents}, {"zeroed", zeroed},   {"alignments", alignments},   {"limits", limits},
    {"threads", threads},   {"forks", forks},     {"libraries", libraries},     {"signals", signals},
    {"cpp", cpp},           {"objects", objects}, {"new-objects", new_objects}, {"system-calls", system_calls},
    {"at-exit", at_exit},   {"before", before},   {"mappings", mappings},       {"variables", variables},
    {"small", small},       {"apart", apart},     {"together", together},
};

}  // namespace

int main(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    cases.at(argv[i])();
    std::printf("%s: right\n", argv[i]);
    std::fflush(stdout);  // also of a program that ends by a signal
  }
}
