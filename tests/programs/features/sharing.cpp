#include <omp.h>

#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "features.h"

namespace {

int counter = 0;
#pragma omp threadprivate(counter)

bool threadprivate() {
  std::vector<int> seen(static_cast<std::size_t>(omp_get_max_threads()));
  counter = 10;
#pragma omp parallel copyin(counter)
  counter += omp_get_thread_num();
#pragma omp parallel
  seen[static_cast<std::size_t>(omp_get_thread_num())] = counter;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] != 10 + static_cast<int>(i)) return false;
  return true;
}

bool copyprivate() {
  std::vector<int> seen(static_cast<std::size_t>(omp_get_max_threads()));
#pragma omp parallel
  {
    int value = -1;
#pragma omp single copyprivate(value)
    value = 4711;
    seen[static_cast<std::size_t>(omp_get_thread_num())] = value;
  }
  return std::set<int>(seen.begin(), seen.end()) == std::set<int>{4711};
}

bool private_objects() {
  const std::string word = "a word that is too long for the small buffer";
  std::string text = word;
  std::size_t length = 0;
#pragma omp parallel firstprivate(text) reduction(+ : length)
  {
    text += std::to_string(omp_get_thread_num());
#pragma omp barrier
    length += text.size() - word.size();
  }
  std::size_t expected = 0;
  for (int i = 0; i < omp_get_max_threads(); ++i) expected += std::to_string(i).size();
  return length == expected && text == word;
}

bool allocators() {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  {
    auto* values = static_cast<int*>(omp_alloc(1000 * sizeof(int), omp_default_mem_alloc));
    for (int i = 0; i < 1000; ++i) values[i] = i;
    for (int i = 0; i < 1000; ++i) sum += values[i];
    omp_free(values, omp_default_mem_alloc);
  }
  return sum == 499'500l * omp_get_max_threads();
}

constexpr Feature features[] = {{"threadprivate", threadprivate},
                                {"copyprivate", copyprivate},
                                {"private objects", private_objects},
                                {"allocators", allocators}};

}  // namespace

FeatureList sharing_features() { return {features, std::size(features)}; }
