// Does the run report say which task accessed which object?
#include <gtest/gtest.h>

#include "runtime/run.h"

namespace kernel_test {
namespace {

/// Accesses of (object, lane).
using Accesses = std::map<std::pair<std::string, std::string>, double>;

/// Adds those of all planned instances.
void count(const Outcome& done, Accesses& accesses) {
  for (const auto& plan : done.report["plans"]) {
    for (const auto& object : plan["objects"])
      for (const auto& [lane, number] : object["counted_by_lane"].items())
        accesses[{object["name"], lane}] += number.get<double>();
  }
}

struct Sampler {
  std::string name;
  const char *instances, *passes, *pages;  ///< of the program
  double least, most;                      ///< accesses to the large object for each one to the small object
  int most_runs;
};

class Sampling : public testing::TestWithParam<Sampler> {};

/// Two threads, two objects: each thread uses its own, and then they swap.
TEST_P(Sampling, SamplesBelongToTheObjectAndTheTaskThatAccessedIt) {
  for (const char* const large : {"0", "1"}) {
    const std::string small = *large == '0' ? "1" : "0";
    const Sampler& sampler = GetParam();
    Accesses accesses;
    const auto seen = [&] { return accesses.contains({"large", large}) && accesses.contains({"small", small}); };
    for (int runs = 0; runs < sampler.most_runs && !seen(); ++runs) {
      const Outcome done = run({"kernel-lanes", sampler.instances, large, sampler.passes, sampler.pages},
                               {{"LBHM_POLICY", "merchandiser-once"}, {"LBHM_SAMPLER", sampler.name}});
      ASSERT_EQ(done.status, 0) << done.output;
      ASSERT_TRUE(done.report.is_object()) << done.output;
      std::printf("%s\n", done.report["remarks"].dump().c_str());
      count(done, accesses);
    }
    for (const auto& [whose, number] : accesses)
      std::printf("%s, %s is lane %s's: %.0f accesses of lane %s\n", whose.first.c_str(), "large", large, number,
                  whose.second.c_str());
    ASSERT_TRUE(seen());
    EXPECT_EQ(accesses.size(), 2U) << "accesses of a thread to the other one's object";
    const double ratio = accesses.at({"large", large}) / accesses.at({"small", small});
    EXPECT_GE(ratio, sampler.least);
    EXPECT_LE(ratio, sampler.most);
  }
}

/// The large object has three times as many pages. Page faults tell of each page once; hint faults of as many pages as
/// their cost allows (few in a virtual machine on a busy computer), others in each region, so that it takes some
/// regions, and maybe runs, to see all.
const Sampler samplers[] = {
    {.name = "faults", .instances = "4", .passes = "1", .pages = "256", .least = 2.9, .most = 3.1, .most_runs = 1},
    {.name = "hints", .instances = "12", .passes = "1000", .pages = "16", .least = 0.05, .most = 60, .most_runs = 15}};

INSTANTIATE_TEST_SUITE_P(Samplers, Sampling, testing::ValuesIn(samplers),
                         [](const auto& sampler) { return sampler.param.name; });

}  // namespace
}  // namespace kernel_test
