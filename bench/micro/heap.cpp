// What blocks of malloc cost, of whichever malloc is in front. Prints JSON: nanoseconds by number.
//   small BYTES       a block and its free, one thread
//   threads BLOCKS    four threads, each so many small blocks from 1,000 places, 256 of them live
//   large BYTES...    a block of so many bytes and its free, again and again from one place; nobody touches it
//   sites COUNT...    so many live blocks of 64 KiB, each from a place of its own: malloc, malloc_usable_size, free
//   live COUNT...     the same from one place
#include <malloc.h>
#include <omp.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <span>
#include <utility>
#include <vector>

namespace {

constexpr std::size_t large = std::size_t{64} * 1024;

/// Processor time of the process, as others use the computer too; of the kernel, as the C library shows the clocks of
/// the machine that LB-HM emulates.
double now() {
  timespec at{};
  syscall(SYS_clock_gettime, CLOCK_PROCESS_CPUTIME_ID, &at);
  return static_cast<double>(at.tv_sec) * 1e9 + static_cast<double>(at.tv_nsec);
}

template <class T>
T opaque(T value) {
  asm volatile("" : "+r"(value)::"memory");
  return value;
}

/// The median of seven times of `body`, by `times` that it does something.
template <class Body>
double median_ns(std::size_t times, const Body& body) {
  std::array<double, 7> found{};
  for (double& each : found) {
    const double begin = now();
    body();
    each = (now() - begin) / static_cast<double>(times);
  }
  std::ranges::sort(found);
  return found[found.size() / 2];
}

double pair_ns(std::size_t bytes, std::size_t times) {
  return median_ns(times, [bytes, times] {
    for (std::size_t i = 0; i < times; ++i) std::free(opaque(std::malloc(opaque(bytes))));
  });
}

template <std::size_t place>
[[gnu::noinline]] void* small_block() {
  return opaque(std::malloc(16 + place % 240));  // NOLINT(clang-analyzer-unix.Malloc): the caller frees it
}
template <std::size_t... place>
constexpr auto places_of(std::index_sequence<place...>) {
  return std::array<void* (*)(), sizeof...(place)>{&small_block<place>...};
}
constexpr auto places = places_of(std::make_index_sequence<1000>());

void many_blocks(std::size_t blocks, std::size_t first) {
  std::array<void*, 256> live{};
  for (std::size_t i = 0; i < blocks; ++i) {
    void*& block = live[i * 97 % live.size()];
    std::free(block);
    block = places[(first + i * 7) % places.size()]();
  }
  for (void* const block : live) std::free(block);
}

/// Lanes, as threads outside of OpenMP have no arenas on the machine that LB-HM emulates.
double threads_ns(std::size_t blocks) {
  return median_ns(blocks, [blocks] {
#pragma omp parallel num_threads(4)
    many_blocks(blocks, static_cast<std::size_t>(omp_get_thread_num()) * 250);
  });
}

/// A place is known by the calls that led there: one for each number, 17 calls deep.
template <int call>
[[gnu::noinline]] void* large_block(std::size_t number, int depth) {
  void* block = nullptr;
  if (depth == 0) {
    block = std::malloc(large);
  } else if (number % 2 == 0) {
    block = large_block<0>(number / 2, depth - 1);
  } else {
    block = large_block<1>(number / 2, depth - 1);
  }
  return opaque(block);  // so that no call is the last thing that it does
}

struct Live {
  double allocate, find, release;
};

Live live_ns(std::size_t count, bool places_of_their_own) {
  std::vector<void*> blocks(count);
  const auto each = [count](double begin) { return (now() - begin) / static_cast<double>(count); };
  double begin = now();
  for (std::size_t i = 0; i < count; ++i) blocks[i] = large_block<0>(places_of_their_own ? i : 0, 17);
  const double allocate = each(begin);
  begin = now();
  std::size_t bytes = 0;
  for (void* const block : blocks) bytes += malloc_usable_size(block);
  const double find = each(begin);
  if (bytes < count * large) std::abort();
  begin = now();
  for (void* const block : blocks) std::free(block);
  return {.allocate = allocate, .find = find, .release = each(begin)};
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char*> words(argv, static_cast<std::size_t>(argc));
  if (words.size() < 3) return 2;
  const char* separator = "{";
  for (const char* const word : words.subspan(2)) {
    const std::size_t number = std::strtoull(word, nullptr, 10);
    std::printf("%s\"%zu\": ", std::exchange(separator, ", "), number);
    if (!std::strcmp(words[1], "small")) std::printf("%.2f", pair_ns(number, 2'000'000));
    if (!std::strcmp(words[1], "large")) std::printf("%.1f", pair_ns(number, 2'000));
    if (!std::strcmp(words[1], "threads")) std::printf("%.2f", threads_ns(number));
    if (!std::strcmp(words[1], "sites") || !std::strcmp(words[1], "live")) {
      const Live found = live_ns(number, !std::strcmp(words[1], "sites"));
      std::printf(R"({"malloc": %.0f, "find": %.0f, "free": %.0f})", found.allocate, found.find, found.release);
    }
  }
  std::printf("}\n");
}
