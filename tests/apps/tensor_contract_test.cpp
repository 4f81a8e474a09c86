// The five phases against a naive contraction, for many shapes and numbers of tasks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/apps/complaint.h"
#include "tests/apps/tensor_example.h"

namespace tensor {
namespace {

using Place = std::pair<Key, Key>;
using Dense = std::map<Place, double>;

/// Every entry of X with every entry of Y, coordinate by coordinate.
Dense naive(const Entries& x, const Entries& y, const ContractModes& modes) {
  const Contraction keys = make_contraction(x.shape, y.shape, modes);
  Dense z;
  for (std::size_t i = 0; i < x.nonzeros(); ++i) {
    for (std::size_t j = 0; j < y.nonzeros(); ++j) {
      const Index* const a = &x.coordinates[i * x.order()];
      const Index* const b = &y.coordinates[j * y.order()];
      bool equal = true;
      for (std::size_t m = 0; m < modes.x.size(); ++m) equal = equal && a[modes.x[m]] == b[modes.y[m]];
      if (equal) z[{keys.x_free(a), keys.y_free(b)}] += x.values[i] * y.values[j];
    }
  }
  return z;
}

Dense content(const std::vector<Task>& tasks) {
  Dense z;
  for (const Task& task : tasks) {
    for (std::size_t i = 0; i < task.z_nonzeros; ++i) {
      const Element& entry = task.z.data()[i];
      EXPECT_TRUE(z.emplace(Place{entry.major, entry.minor}, entry.value).second) << "a place stands twice in Z";
    }
  }
  return z;
}

struct Shape {
  const char* name;
  std::vector<Index> x;
  std::vector<Index> y;
  ContractModes modes;
  unsigned entries;
};

class Contract : public ::testing::TestWithParam<Shape> {};

TEST_P(Contract, IsTheNaiveContractionForAnyNumberOfTasks) {
  const Shape& shape = GetParam();
  const Entries x = random_entries(shape.x, shape.entries, 1);
  const Entries y = random_entries(shape.y, shape.entries, 2);
  const Dense expected = naive(x, y, shape.modes);
  for (const std::size_t threads : {1, 3, 12}) {
    const Example example(x, y, shape.modes, threads);
    EXPECT_EQ(content(example.tasks), expected) << threads;
    for (const Task& task : example.tasks) EXPECT_LE(task.z_nonzeros, task.part.z_bound) << "the bound holds";
  }
}

INSTANTIATE_TEST_SUITE_P(Shapes, Contract,
                         ::testing::Values(Shape{"Matrices", {20, 30}, {30, 10}, {{1}, {0}}, 150},
                                           Shape{"TwoModes", {4, 5, 6, 7}, {6, 7, 3, 8}, {{2, 3}, {0, 1}}, 400},
                                           Shape{"CrossedModes", {4, 6, 5, 7}, {7, 3, 8, 6}, {{3, 1}, {0, 3}}, 400},
                                           Shape{"NothingFreeInX", {5, 6}, {6, 5, 9}, {{0, 1}, {1, 0}}, 60},
                                           Shape{"NothingFreeInY", {5, 6, 9}, {9}, {{2}, {0}}, 60},
                                           Shape{"AllContracted", {5, 6}, {5, 6}, {{0, 1}, {0, 1}}, 40},
                                           Shape{"OuterProduct", {8}, {9}, {{}, {}}, 20},
                                           Shape{"DifferentExtents", {5, 9}, {4, 7}, {{1}, {0}}, 40},
                                           Shape{"NoEntries", {5, 9}, {9, 7}, {{1}, {0}}, 0},
                                           Shape{"OneSubtensor", {1, 50}, {50, 40}, {{1}, {0}}, 300}),
                         [](const auto& info) { return info.param.name; });

TEST(Contract, RealValuesAreTheSameToTheLastBitForAnyNumberOfTasks) {
  Entries x = random_entries({30, 40}, 600, 1);
  Entries y = random_entries({40, 30}, 600, 2);
  for (double& value : x.values) value /= 3;
  for (double& value : y.values) value /= 7;
  const Dense expected = content(Example(x, y, {{1}, {0}}, 1).tasks);
  for (const std::size_t threads : {2, 5, 12}) EXPECT_EQ(content(Example(x, y, {{1}, {0}}, threads).tasks), expected);
}

TEST(Contract, PartsHaveEquallyManySubtensorsAndAllOfTheWork) {
  const Entries x = random_entries({40, 30}, 500, 1);
  const Entries y = random_entries({30, 20}, 300, 2);
  const Example example(x, y, {{1}, {0}}, 4);
  std::size_t entries = 0;
  std::size_t y_entries = 0;
  for (const Task& task : example.tasks) {
    EXPECT_EQ(task.part.subtensors, 10U);
    entries += task.part.x_nonzeros;
    y_entries += task.part.y_nonzeros;
    EXPECT_TRUE(std::ranges::is_sorted(task.x, {}, [](const Element& e) { return std::pair(e.major, e.minor); }));
  }
  EXPECT_EQ(entries, x.nonzeros());
  EXPECT_EQ(y_entries, y.nonzeros());
}

TEST(Contract, ObjectsHaveTheSameNamesInTheSameOrderForEveryInput) {
  const auto names_of = [](const Entries& x, const Entries& y, const ContractModes& modes) {
    const Example example(x, y, modes, 3);
    std::vector<std::string> names;
    for (const apps::Block* object : objects_of(example.x, example.y, example.shared, example.tasks)) {
      EXPECT_NE(object->address(), nullptr);
      EXPECT_GT(object->bytes(), 0U);
      names.push_back(object->name());
    }
    return names;
  };
  const auto names = names_of(random_entries({9, 8}, 30, 1), random_entries({8, 9}, 30, 2), {{1}, {0}});
  EXPECT_EQ(names.size(), 8U + 3U * 7U);
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size()) << "names are unique";
  EXPECT_EQ(names, names_of(random_entries({9, 8, 7}, 0, 1), random_entries({7}, 3, 2), {{2}, {0}}));
}

std::string error_of(const std::vector<Index>& x, const std::vector<Index>& y, const ContractModes& modes) {
  return apps::complaint_of([&] { make_contraction(x, y, modes); });
}

TEST(Contraction, ErrorsNameTheModeAndTheRemedy) {
  using ::testing::HasSubstr;
  EXPECT_THAT(error_of({4, 4}, {4, 4}, {{2}, {0}}), HasSubstr("mode 3 of X"));
  EXPECT_THAT(error_of({4, 4}, {4, 4}, {{0, 1}, {1, 1}}), HasSubstr("mode 2 of Y is contracted twice"));
  EXPECT_THAT(error_of({4, 4}, {4, 4}, {{0, 1}, {1}}), HasSubstr("not 2 and 1"));
  EXPECT_THAT(error_of({1U << 31, 1U << 31, 4}, {4}, {{2}, {0}}), ::testing::IsEmpty());
  EXPECT_THAT(error_of({1U << 31, 1U << 31, 4, 2}, {4}, {{2}, {0}}), HasSubstr("2^63"));
}

}  // namespace
}  // namespace tensor
