// Sorting 32-bit keys.
#include <algorithm>
#include <array>
#include <utility>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

using Key = std::uint32_t;

void insertion_sort(Key* first, Key* last) {
  for (Key* next = first + 1; next < last; ++next) {
    const Key key = *next;
    Key* hole = next;
    for (; hole > first && hole[-1] > key; --hole) *hole = hole[-1];
    *hole = key;
  }
}

constexpr std::ptrdiff_t few = 24;

/// Hoare's partition around the median of three.
void quicksort_range(Key* first, Key* last) {
  while (last - first > few) {
    const Key a = *first, b = first[(last - first) / 2], c = last[-1];
    const Key pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
    Key* low = first;
    Key* high = last - 1;
    while (low <= high) {
      while (*low < pivot) ++low;
      while (*high > pivot) --high;
      if (low <= high) std::swap(*low++, *high--);
    }
    quicksort_range(first, high + 1);
    first = low;
  }
  insertion_sort(first, last);
}

Kernel quicksort(std::size_t n) {
  return [n, input = random_below(n, 1u << 31), keys = std::vector<Key>(n)]() mutable {
    std::ranges::copy(input, keys.begin());
    quicksort_range(keys.data(), keys.data() + n);
    return static_cast<double>(keys[n / 2]);
  };
}

void merge(const Key* left, const Key* middle, const Key* right, Key* out) {
  const Key* a = left;
  const Key* b = middle;
  while (a < middle && b < right) *out++ = *b < *a ? *b++ : *a++;
  while (a < middle) *out++ = *a++;
  while (b < right) *out++ = *b++;
}

/// From short runs upwards.
Kernel mergesort(std::size_t n) {
  return [n, input = random_below(n, 1u << 31), keys = std::vector<Key>(n), spare = std::vector<Key>(n)]() mutable {
    std::ranges::copy(input, keys.begin());
    Key* from = keys.data();
    Key* to = spare.data();
    for (std::size_t i = 0; i < n; i += few) insertion_sort(from + i, from + std::min<std::size_t>(i + few, n));
    for (std::size_t width = few; width < n; width *= 2) {
      for (std::size_t i = 0; i < n; i += 2 * width) {
        merge(from + i, from + std::min(i + width, n), from + std::min(i + 2 * width, n), to + i);
      }
      std::swap(from, to);
    }
    return static_cast<double>(from[n / 2]);
  };
}

/// One pass over 8 bits: count, then move to the bucket's next place.
void distribute(std::size_t n, const Key* from, Key* to, int shift) {
  std::array<std::uint32_t, 257> next{};
  for (std::size_t i = 0; i < n; ++i) ++next[((from[i] >> shift) & 255) + 1];
  for (std::size_t digit = 1; digit < 256; ++digit) next[digit] += next[digit - 1];
  for (std::size_t i = 0; i < n; ++i) to[next[(from[i] >> shift) & 255]++] = from[i];
}

Kernel radix_sort(std::size_t n) {
  return [n, input = random_below(n, 1u << 31), keys = std::vector<Key>(n), spare = std::vector<Key>(n)]() mutable {
    distribute(n, input.data(), spare.data(), 0);
    distribute(n, spare.data(), keys.data(), 8);
    distribute(n, keys.data(), spare.data(), 16);
    distribute(n, spare.data(), keys.data(), 24);
    return static_cast<double>(keys[n / 2]);
  };
}

void sift_down(Key* heap, std::size_t hole, std::size_t n) {
  const Key key = heap[hole];
  for (std::size_t child = 2 * hole + 1; child < n; child = 2 * hole + 1) {
    if (child + 1 < n && heap[child + 1] > heap[child]) ++child;
    if (heap[child] <= key) break;
    heap[hole] = heap[child];
    hole = child;
  }
  heap[hole] = key;
}

Kernel heapsort(std::size_t n) {
  return [n, input = random_below(n, 1u << 31), keys = std::vector<Key>(n)]() mutable {
    std::ranges::copy(input, keys.begin());
    for (std::size_t i = n / 2; i-- > 0;) sift_down(keys.data(), i, n);
    for (std::size_t last = n - 1; last > 0; --last) {
      std::swap(keys[0], keys[last]);
      sift_down(keys.data(), 0, last);
    }
    return static_cast<double>(keys[n / 2]);
  };
}

constexpr Entry entries[] = {{"quicksort", quicksort, Threads::copies, 1'000'000, 3, 60'000},
                             {"mergesort", mergesort, Threads::copies, 1'000'000, 3, 30'000},
                             {"radix-sort", radix_sort, Threads::copies, 4'000'000, 3, 30'000},
                             {"heapsort", heapsort, Threads::copies, 500'000, 3, 40'000}};

}  // namespace

std::span<const Entry> sort_kernels() { return entries; }

}  // namespace host
