#include "functions.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>
#include <utility>

std::map<std::string, FunctionEntry, std::less<>>& function_table() {
  static std::map<std::string, FunctionEntry, std::less<>> table;
  return table;
}

AddFunction::AddFunction(std::string name, std::size_t parameters, Function function) {
  function_table().emplace(std::move(name), FunctionEntry{parameters, std::move(function)});
}

namespace {

const AddFunction add_sqrt("sqrt", 1, [](const std::vector<double>& v) {
  if (v[0] < 0) throw EvaluationError("root of a negative number", v[0]);
  return std::sqrt(v[0]);
});
const AddFunction add_max("max", 0, [](const std::vector<double>& v) { return *std::ranges::max_element(v); });
const AddFunction add_mean("mean", 0, [](const std::vector<double>& v) {
  return std::accumulate(v.begin(), v.end(), 0.0) / static_cast<double>(v.size());
});

/// Memory that a static initialiser allocates and a captured pointer keeps.
const AddFunction add_step("step", 1, [steps = std::make_shared<std::vector<double>>(4096)](const auto& v) {
  if ((*steps)[1] == 0) throw std::logic_error("the table of steps is empty");
  return (*steps)[static_cast<std::size_t>(std::abs(v[0])) % steps->size()];
});

double fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
const AddFunction add_fibonacci("fib", 1, [](const std::vector<double>& v) {
  return fibonacci(static_cast<unsigned>(std::fmod(std::abs(v[0]), 12)));
});

/// Replaces `step` by one whose table is filled; runs after the ones above.
struct FillSteps {
  FillSteps() {
    auto steps = std::make_shared<std::vector<double>>(4096);
    std::iota(steps->begin(), steps->end(), 1.0);
    function_table().find("step")->second.function = [steps](const std::vector<double>& v) {
      return (*steps)[static_cast<std::size_t>(std::abs(v[0])) % steps->size()];
    };
  }
} const fill_steps;

}  // namespace
