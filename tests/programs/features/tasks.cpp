#include <omp.h>

#include <atomic>
#include <iterator>
#include <memory>
#include <numeric>
#include <vector>

#include "features.h"

namespace {

long fibonacci(int n) {
  if (n < 2) return n;
  long a = 0, b = 0;
#pragma omp task shared(a) if (n > 10)
  a = fibonacci(n - 1);
#pragma omp task shared(b) if (n > 10)
  b = fibonacci(n - 2);
#pragma omp taskwait
  return a + b;
}

bool recursion() {
  long result = 0;
#pragma omp parallel
#pragma omp single
  result = fibonacci(16);
  return result == 987;
}

/// A grid whose cells depend on the ones above and to the left: only one order of work gives these values.
bool dependences() {
  constexpr int size = 12;
  std::vector<long> cell((size + 1) * (size + 1), 1);
  long* const c = cell.data();
#pragma omp parallel
#pragma omp single
  for (int y = 1; y <= size; ++y)
    for (int x = 1; x <= size; ++x) {
      const int at = y * (size + 1) + x;
#pragma omp task depend(in : c[at - 1], c[at - size - 1]) depend(out : c[at])
      c[at] = c[at - 1] + c[at - size - 1];
    }
  return cell.back() == 2'704'156;  // 24 over 12
}

bool taskloop() {
  std::vector<int> values(30'000);
  long sum = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(500)
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int>(i % 11);
#pragma omp taskloop reduction(+ : sum) num_tasks(8)
    for (std::size_t i = 0; i < values.size(); ++i) sum += values[i];
  }
  return sum == std::accumulate(values.begin(), values.end(), 0l);
}

struct Tree {
  std::unique_ptr<Tree> left, right;
  int value = 0;
};

std::unique_ptr<Tree> grow(int depth, int value) {
  if (depth == 0) return nullptr;
  auto tree = std::make_unique<Tree>();
  tree->value = value;
  tree->left = grow(depth - 1, 2 * value);
  tree->right = grow(depth - 1, 2 * value + 1);
  return tree;
}

void add_all(const Tree* tree, std::atomic<long>& sum) {
  if (!tree) return;
  sum += tree->value;
#pragma omp task shared(sum) untied
  add_all(tree->left.get(), sum);
#pragma omp task shared(sum) mergeable
  add_all(tree->right.get(), sum);
}

bool taskgroup() {
  const auto tree = grow(9, 1);
  std::atomic<long> sum = 0;
  long at_end = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    add_all(tree.get(), sum);
    at_end = sum;
  }
  return at_end == 511l * 512 / 2;
}

bool task_reduction() {
  long sum = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 100; ++i) {
#pragma omp task in_reduction(+ : sum) priority(i % 3)
    sum += i;
  }
  return sum == 4950;
}

/// The tasks of a team's lanes and of a loop's iterations take part in the reductions of these constructs.
bool reductions_with_tasks() {
  long team = 0, loop = 0;
  double largest = 0;
#pragma omp parallel reduction(task, + : team) reduction(task, max : largest)
  for (int i = 0; i < 20; ++i) {
#pragma omp task in_reduction(+ : team) in_reduction(max : largest)
    {
      team += i;
      if (i > largest) largest = i;
    }
  }
  const long lanes = team / 190;
#pragma omp parallel for reduction(task, + : loop) schedule(dynamic, 3)
  for (int i = 0; i < 100; ++i) {
    ++loop;
#pragma omp task in_reduction(+ : loop)
    loop += 10;
  }
  return team == 190 * lanes && lanes >= 1 && largest == 19 && loop == 1100;
}

constexpr Feature features[] = {{"recursive tasks", recursion},
                                {"depend", dependences},
                                {"taskloop", taskloop},
                                {"taskgroup", taskgroup},
                                {"task_reduction", task_reduction},
                                {"reduction(task)", reductions_with_tasks}};

}  // namespace

FeatureList task_features() { return {features, std::size(features)}; }
