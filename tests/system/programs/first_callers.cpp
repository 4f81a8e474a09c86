// Every lane asks for the same static variables of functions at about the same time. Which one makes them shows in the
// work that the others do.
#include <atomic>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

namespace {

constexpr int variables = 40;

template <int number>
const std::vector<double>& table() {
  static const std::vector<double> made = [] {
    std::vector<double> values(64 + 16 * number);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i * number);
    return values;
  }();
  return made;
}

/// Its first maker fails, whoever it is.
int stubborn() {
  static std::atomic<int> attempts{0};
  static const int made = [] {
    if (attempts.fetch_add(1) == 0) throw 1;
    return 7;
  }();
  return made;
}

int asked_for() {
  try {
    return stubborn();
  } catch (int) { return 1'000'000; }
}

template <int... numbers>
double sum_of(int lane, std::integer_sequence<int, numbers...> /*all*/) {
  double sum = asked_for();
  const auto add = [&](const std::vector<double>& values) {
    for (std::size_t i = static_cast<std::size_t>(lane) % 3; i < values.size(); ++i) sum += values[i];
  };
  (add(table<numbers>()), ...);
  return sum;
}

}  // namespace

int main() {
  constexpr int rounds = 4;
  double sum = 0;
#pragma omp parallel for schedule(static, 1) reduction(+ : sum)
  for (int lane = 0; lane < 12; ++lane) {
    for (int i = 0; i < rounds; ++i) sum += sum_of(lane, std::make_integer_sequence<int, variables>());
  }
  std::printf("%.0f\n", sum);
}
