// Do the knobs make of the tasks what they say?
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "apps/imbalance/imbalance_options.h"
#include "apps/imbalance/lookups.h"
#include "apps/imbalance/task_shapes.h"
#include "tests/apps/complaint.h"

namespace imbalance {
namespace {

std::vector<Shape> shapes(const std::vector<std::string_view>& arguments) {
  return draw_shapes(parse_options(arguments));
}

double loads_a_page(const Shape& shape) { return static_cast<double>(shape.loads) / static_cast<double>(shape.pages); }

TEST(Shapes, EveryThirdTaskOfAPlainProgramDoesSoManyTimesTheWork) {
  const auto of = shapes({"--plain", "--imbalance", "3", "--limit", "latency", "--kloads", "200"});
  ASSERT_EQ(of.size(), 12U);
  for (std::size_t i = 0; i < of.size(); ++i) {
    EXPECT_EQ(of[i].loads, i % 3 == 0 ? 30000U : 10000U);
    EXPECT_EQ(of[i].pattern, Pattern::chase);
    EXPECT_EQ(of[i].skew, 1U);
  }
}

TEST(Shapes, WithoutImbalanceAllWeightsAreEqual) {
  for (const Shape& shape : shapes({"--imbalance", "0"})) EXPECT_EQ(shape.weight, 1);
}

TEST(Shapes, AlignmentSaysWhosePagesAreHottest) {
  const auto density = [](const char* alignment, bool heavy) {
    return loads_a_page(shapes({"--plain", "--limit", "bandwidth", "--alignment", alignment})[heavy ? 0 : 1]);
  };
  EXPECT_NEAR(density("1", true) / density("1", false), 3, 0.3);
  EXPECT_NEAR(density("0", true) / density("0", false), 1, 0.1);
  EXPECT_NEAR(density("-1", true) / density("-1", false), 1 / 3.0, 0.05);
}

TEST(Shapes, TheMostSkewedTasksAreAlignedToo) {
  for (const char* alignment : {"1", "-1"}) {
    auto of = shapes({"--alignment", alignment, "--seed", "3"});
    std::ranges::sort(of, {}, &Shape::weight);
    if (*alignment == '-') std::ranges::reverse(of);
    EXPECT_LE(of.front().skew, of.back().skew) << alignment;
    EXPECT_LT(loads_a_page(of.front()), loads_a_page(of.back())) << alignment;
  }
}

TEST(Shapes, LimitsHaveTheirPatterns) {
  const auto patterns = [](const char* limit) {
    std::set<Pattern> found;
    for (const char* seed : {"1", "2", "3"})
      for (const Shape& shape : shapes({"--limit", limit, "--seed", seed})) found.insert(shape.pattern);
    return found;
  };
  EXPECT_THAT(patterns("latency"), ::testing::ElementsAre(Pattern::chase));
  EXPECT_THAT(patterns("bandwidth"), ::testing::ElementsAre(Pattern::gather, Pattern::stream, Pattern::stride));
  EXPECT_EQ(patterns("mixed").size(), 5U);
}

TEST(Shapes, SeedsDifferAndSumsDoNot) {
  const auto one = shapes({"--seed", "1"});
  const auto other = shapes({"--seed", "2"});
  const auto pages = [](const std::vector<Shape>& of) {
    double sum = 0;
    for (const Shape& shape : of) sum += static_cast<double>(shape.pages);
    return sum;
  };
  EXPECT_FALSE(std::ranges::equal(one, other, {}, &Shape::pages, &Shape::pages));
  EXPECT_NEAR(pages(one), 24 * 256, 12 * page_stripes);
  EXPECT_NEAR(pages(other), 24 * 256, 12 * page_stripes);
}

TEST(Shapes, RoundsAreEqualUnlessTheyVary) {
  const Options equal = parse_options({});
  const Options vary = parse_options({"--vary", "1"});
  const auto drawn = draw_shapes(equal);
  EXPECT_TRUE(std::ranges::equal(shapes_of_round(drawn, equal, 3), drawn, {}, &Shape::loads, &Shape::loads));
  EXPECT_TRUE(std::ranges::equal(shapes_of_round(drawn, vary, 0), drawn, {}, &Shape::loads, &Shape::loads));
  const auto later = shapes_of_round(drawn, vary, 1);
  EXPECT_FALSE(std::ranges::equal(later, drawn, {}, &Shape::loads, &Shape::loads));
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    EXPECT_NEAR(loads_a_page(later[i]) / loads_a_page(drawn[i]), 1, 0.5) << "work follows size";
  }
}

TEST(Lookups, AWrongWordIsFound) {
  for (const Pattern pattern : {Pattern::chase, Pattern::gather, Pattern::both, Pattern::stream, Pattern::stride}) {
    const Shape shape{.pattern = pattern, .loads = 20000, .pages = page_stripes, .skew = 2};
    std::vector<Task> tasks = make_tasks(std::vector{shape}, parse_options({"--rounds", "2"}));
    run_rounds(tasks, 0, 2, 1);
    EXPECT_EQ(tasks[0].found[1], expected(tasks[0], 1)) << name_of(pattern);
    EXPECT_NE(tasks[0].found[0], tasks[0].found[1]) << name_of(pattern);
    for (std::uint64_t word = 0; word < tasks[0].words.size(); ++word) tasks[0].words.data()[word] += 1;
    run_rounds(tasks, 1, 2, 1);
    EXPECT_NE(tasks[0].found[1], expected(tasks[0], 1)) << name_of(pattern);
  }
}

TEST(ImbalanceOptions, ErrorsNameTheOptionAndTheRemedy) {
  using ::testing::AllOf;
  using ::testing::HasSubstr;
  const auto error_of = [](const std::vector<std::string_view>& arguments) {
    return apps::complaint_of([&] { parse_options(arguments); });
  };
  EXPECT_THAT(error_of({"--alignment", "2"}), AllOf(HasSubstr("--alignment: '2'"), HasSubstr("from -1 to 1")));
  EXPECT_THAT(error_of({"--alignment=-1.5"}), HasSubstr("--alignment: '-1.5'"));
  EXPECT_THAT(error_of({"--imbalance", "nan"}), HasSubstr("--imbalance: 'nan'"));
  EXPECT_THAT(error_of({"--limit", "time"}), HasSubstr("must be latency, bandwidth or mixed"));
  EXPECT_THAT(error_of({"--one-region", "--vary", "1"}), HasSubstr("give one of them"));
  EXPECT_THAT(error_of({"--tasks", "0"}), AllOf(HasSubstr("--tasks"), HasSubstr("from 1 to")));
}

}  // namespace
}  // namespace imbalance
