// All lanes come to critical constructs that nobody has been in, then work on small blocks of their own. If libomp made
// a construct's lock on the heap of the lane that comes first, the blocks would lie elsewhere in every run.
#include <omp.h>

#include <cstddef>
#include <cstdio>
#include <vector>

namespace {

/// In blocks of many sizes, most of which begin in the middle of a line.
double worked(int lane) {
  constexpr std::size_t blocks = 60;
  double sum = 0;
  std::vector<std::vector<double>> kept;
  for (std::size_t i = 0; i < blocks; ++i) {
    kept.emplace_back(1 + 5 * i % 47, lane);
    for (std::size_t at = 0; at < kept.back().size(); at += 3) sum += kept[i][at] + kept[i * 7 % kept.size()][0];
  }
  return sum;
}

}  // namespace

int main() {
  double total = 0;
#pragma omp parallel
  {
    const int lane = omp_get_thread_num();
#pragma omp critical(first)
    total += lane;
#pragma omp barrier
#pragma omp critical(second)
    total += lane;
#pragma omp barrier
#pragma omp critical(third)
    total += lane;
#pragma omp barrier
#pragma omp critical(fourth)
    total += lane;
#pragma omp barrier
    const double sum = worked(lane);
#pragma omp critical(fifth)
    total += sum;
  }
  std::printf("%.0f\n", total);
}
