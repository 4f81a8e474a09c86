// Does the run report say which task accessed which object?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

/// Accesses of (object, lane), of all planned instances together.
std::map<std::pair<std::string, std::string>, double> counted(const Outcome& done) {
  std::map<std::pair<std::string, std::string>, double> accesses;
  for (const auto& plan : done.report["plans"]) {
    for (const auto& object : plan["objects"])
      for (const auto& [lane, count] : object["counted_by_lane"].items())
        accesses[{object["name"], lane}] += count.get<double>();
  }
  return accesses;
}

class Sampling : public testing::TestWithParam<const char*> {};

/// Two threads, two objects of 768 and 256 pages: each thread uses its own, and then they swap.
TEST_P(Sampling, SamplesBelongToTheObjectAndTheTaskThatAccessedIt) {
  for (const char* const large : {"0", "1"}) {
    const std::string small = *large == '0' ? "1" : "0";
    const Outcome done =
        run({"kernel-lanes", "6", large}, {{"LBHM_POLICY", "merchandiser"}, {"LBHM_SAMPLER", GetParam()}});
    ASSERT_EQ(done.status, 0) << done.output;
    ASSERT_TRUE(done.report.is_object()) << done.output;
    EXPECT_EQ(done.report["plans"].size(), 5U);
    std::printf("%s\n", done.report["remarks"].dump().c_str());
    const auto accesses = counted(done);
    for (const auto& [whose, count] : accesses)
      std::printf("%s, %s is lane %s's: %.0f accesses of lane %s\n", whose.first.c_str(), "large", large, count,
                  whose.second.c_str());
    ASSERT_TRUE(accesses.contains({"large", large}));
    ASSERT_TRUE(accesses.contains({"small", small}));
    EXPECT_EQ(accesses.size(), 2U) << "accesses of a thread to the other one's object";
    const double ratio = accesses.at({"large", large}) / accesses.at({"small", small});
    EXPECT_NEAR(ratio, 3, 1) << "three times as many pages";
  }
}

INSTANTIATE_TEST_SUITE_P(Samplers, Sampling, testing::Values("faults", "hints"),
                         [](const auto& sampler) { return std::string(sampler.param); });

}  // namespace
}  // namespace kernel_test
