// Sorting by comparisons, each lane an array of its own: quicksort (median of three), bottom-up merge sort, heap sort,
// Shell sort (Ciura's gaps). Source: Sedgewick and Wayne, Algorithms, 4th edition, chapter 2.
#include <algorithm>
#include <numeric>
#include <vector>

#include "training/corpus/corpus.h"
#include "training/corpus/random.h"

namespace {

using Key = std::uint32_t;
using Keys = std::vector<Key>;
constexpr int problems = 12;

CORPUS_REGION void fill(Keys& keys, corpus::Random random) {
  for (Key& key : keys) key = static_cast<Key>(random.next());
}

CORPUS_REGION void insertion_sort(Key* keys, std::ptrdiff_t count) {
  for (std::ptrdiff_t i = 1; i < count; ++i) {
    const Key key = keys[i];
    std::ptrdiff_t place = i;
    for (; place > 0 && keys[place - 1] > key; --place) keys[place] = keys[place - 1];
    keys[place] = key;
  }
}

/// Leaves pieces of at most 24 keys unsorted; an insertion sort ends it. The shorter side first: the stack stays small.
CORPUS_REGION void quick_sort(Key* keys, std::ptrdiff_t count) {
  struct Piece {
    std::ptrdiff_t low, high;
  };
  std::vector<Piece> stack{{0, count - 1}};
  while (!stack.empty()) {
    const auto [low, high] = stack.back();
    stack.pop_back();
    if (high - low < 24) continue;
    const Key a = keys[low], b = keys[(low + high) / 2], c = keys[high];
    const Key pivot = std::max(std::min(a, b), std::min(std::max(a, b), c));
    std::ptrdiff_t i = low, j = high;
    while (i <= j) {
      while (keys[i] < pivot) ++i;
      while (keys[j] > pivot) --j;
      if (i <= j) std::swap(keys[i++], keys[j--]);
    }
    stack.push_back({low, j});
    stack.push_back({i, high});
  }
  insertion_sort(keys, count);
}

CORPUS_REGION void merge_runs(const Key* from, Key* to, std::size_t count, std::size_t run) {
  for (std::size_t start = 0; start < count; start += 2 * run) {
    const std::size_t middle = std::min(start + run, count), end = std::min(start + 2 * run, count);
    std::size_t left = start, right = middle;
    for (std::size_t out = start; out < end; ++out)
      to[out] = left < middle && (right == end || from[left] <= from[right]) ? from[left++] : from[right++];
  }
}

CORPUS_REGION void sort_runs(Key* keys, std::size_t count, std::size_t run) {
  for (std::size_t start = 0; start < count; start += run)
    for (std::size_t i = start + 1; i < std::min(start + run, count); ++i)
      for (std::size_t j = i; j > start && keys[j - 1] > keys[j]; --j) std::swap(keys[j - 1], keys[j]);
}

void merge_sort(Keys& keys, Keys& other) {
  sort_runs(keys.data(), keys.size(), 16);
  for (std::size_t run = 16; run < keys.size(); run *= 2) {
    merge_runs(keys.data(), other.data(), keys.size(), run);
    keys.swap(other);
  }
}

void sift_down(Key* heap, std::size_t root, std::size_t count) {
  const Key key = heap[root];
  while (2 * root + 1 < count) {
    std::size_t child = 2 * root + 1;
    if (child + 1 < count && heap[child] < heap[child + 1]) ++child;
    if (heap[child] <= key) break;
    heap[root] = heap[child];
    root = child;
  }
  heap[root] = key;
}

CORPUS_REGION void build_heap(Key* keys, std::size_t count) {
  for (std::size_t root = count / 2; root-- > 0;) sift_down(keys, root, count);
}

CORPUS_REGION void take_from_heap(Key* keys, std::size_t count) {
  for (std::size_t last = count; last-- > 1;) {
    std::swap(keys[0], keys[last]);
    sift_down(keys, 0, last);
  }
}

CORPUS_REGION void shell_sort(Key* keys, std::size_t count) {
  for (const std::size_t gap : {16577u, 7368u, 3275u, 1455u, 701u, 301u, 132u, 57u, 23u, 10u, 4u, 1u})
    for (std::size_t i = gap; i < count; ++i) {
      const Key key = keys[i];
      std::size_t place = i;
      for (; place >= gap && keys[place - gap] > key; place -= gap) keys[place] = keys[place - gap];
      keys[place] = key;
    }
}

CORPUS_REGION bool ascending(const Keys& keys) {
  std::size_t wrong = 0;
  for (std::size_t i = 1; i < keys.size(); ++i) wrong += keys[i - 1] > keys[i];
  return wrong == 0;
}

void sort_problem(int problem, Keys& keys, Keys& other) {
  switch (problem % 4) {
    case 0:
      quick_sort(keys.data(), static_cast<std::ptrdiff_t>(keys.size()));
      break;
    case 1:
      merge_sort(keys, other);
      break;
    case 2:
      build_heap(keys.data(), keys.size());
      take_from_heap(keys.data(), keys.size());
      break;
    default:
      shell_sort(keys.data(), keys.size());
  }
}

corpus::Answer program(const corpus::Input& input) {
  const std::size_t count = input.pick<std::size_t>(32'000, 50'000);
  std::vector<Keys> keys(problems, Keys(count)), other(problems, Keys(count));
  for (int problem = 0; problem < problems; ++problem) fill(keys[problem], corpus::Random(input.seed + 7 * problem));
  int wrong = 0;
  double sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : wrong, sum)
  for (int problem = 0; problem < problems; ++problem) {
    sort_problem(problem, keys[problem], other[problem]);
    wrong += !ascending(keys[problem]);
    sum += keys[problem][count / 2];
  }
  return {.checksum = sum, .right = wrong == 0};
}

}  // namespace

int main(int argc, char** argv) { return corpus::run(argc, argv, program); }
