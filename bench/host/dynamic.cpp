// Dynamic programming and strings.
#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "bench/host/host_kernel.h"
#include "bench/host/host_random.h"

namespace host {
namespace {

std::string random_text(std::size_t length, std::uint64_t seed) {
  Random random(seed);
  std::string text(length, ' ');
  for (char& letter : text) letter = "acgt"[random.below(4)];
  return text;
}

/// Levenshtein's distance, two rows of the table at a time.
std::uint32_t distance(const std::string& a, const std::string& b, std::uint32_t* above, std::uint32_t* row) {
  std::iota(above, above + b.size() + 1, 0u);
  for (std::size_t i = 0; i < a.size(); ++i) {
    row[0] = static_cast<std::uint32_t>(i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({above[j] + (a[i] != b[j]), above[j + 1] + 1, row[j] + 1});
    }
    std::swap(above, row);
  }
  return above[b.size()];
}

Kernel edit_distance(std::size_t n) {
  return [a = random_text(n, 1), b = random_text(n, 2), above = std::vector<std::uint32_t>(n + 1),
          row = std::vector<std::uint32_t>(n + 1)]() mutable {
    return static_cast<double>(distance(a, b, above.data(), row.data()));
  };
}

void shorten(std::size_t n, std::size_t via, double* length) {
#pragma omp parallel for
  for (std::size_t i = 0; i < n; ++i) {
    const double there = length[i * n + via];
    for (std::size_t j = 0; j < n; ++j) length[i * n + j] = std::min(length[i * n + j], there + length[via * n + j]);
  }
}

/// All shortest paths.
Kernel floyd_warshall(std::size_t n) {
  return [n, input = random_reals(n * n), length = std::vector<double>(n * n)]() mutable {
    std::ranges::copy(input, length.begin());
    for (std::size_t via = 0; via < n; ++via) shorten(n, via, length.data());
    return length[n + 1];
  };
}

/// How often a word stands in a text: a comparison of letters at every place.
Kernel string_match(std::size_t n) {
  return [text = random_text(n, 1), word = random_text(8, 3)] {
    std::size_t count = 0;
    const char* const t = text.data();
    const char* const w = word.data();
    for (std::size_t i = 0; i + 8 <= text.size(); ++i) {
      std::size_t same = 0;
      while (same < 8 && t[i + same] == w[same]) ++same;
      count += same == 8;
    }
    return static_cast<double>(count);
  };
}

constexpr Entry entries[] = {{"edit-distance", edit_distance, Threads::copies, 8'000, 1, 400},
                             {"floyd-warshall", floyd_warshall, Threads::share, 500, 2, 100},
                             {"string-match", string_match, Threads::copies, 20'000'000, 3, 100'000}};

}  // namespace

std::span<const Entry> dynamic_kernels() { return entries; }

}  // namespace host
