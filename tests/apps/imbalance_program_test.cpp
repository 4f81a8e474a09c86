// The program from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/apps/program_fixture.h"

namespace {

using apps::last_line;
using apps::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string small = "--mib 2 --kloads 40 --rounds 3 ";

class ImbalanceProgram : public apps::ProgramTest {
 protected:
  ImbalanceProgram() : ProgramTest(IMBALANCE_PROGRAM) {}
};

TEST_F(ImbalanceProgram, PrintsTheSameOnEveryRun) {
  const Outcome first = run(small + "--threads 4");
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, Not(HasSubstr("NO")));
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run(small + "--threads 4").out, first.out);
}

TEST_F(ImbalanceProgram, ChecksumDependsOnTheSeedAndNotOnTheThreadsOrRegions) {
  const std::string expected = last_line(run(small + "--threads 1").out);
  EXPECT_EQ(last_line(run(small + "--threads 5").out), expected);
  EXPECT_EQ(last_line(run(small + "--threads 40").out), expected);
  EXPECT_EQ(last_line(run(small + "--threads 3 --one-region").out), expected);
  EXPECT_EQ(last_line(run(small + "--threads 3 --hottest-first").out), expected);
  EXPECT_NE(last_line(run(small + "--threads 1 --seed 2").out), expected);
  EXPECT_NE(last_line(run(small + "--threads 1 --vary 1").out), expected);
}

TEST_F(ImbalanceProgram, AllKnobsAtTheirEndsAreVerified) {
  for (const std::string limit : {"latency", "bandwidth", "mixed"})
    for (const std::string alignment : {"-1", "0", "1"})
      for (const std::string more : {"--imbalance 0", "--imbalance 100", "--plain", "--vary 4", "--tasks 1"}) {
        const std::string arguments = small + "--limit " + limit + " --alignment " + alignment + " " + more;
        EXPECT_EQ(run(arguments).status, 0) << arguments;
      }
}

TEST_F(ImbalanceProgram, BadOptionsEndWithStatus2AndASentence) {
  const Outcome outcome = run("--limit fast");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.err, HasSubstr("imbalance: --limit: 'fast' must be"));
  EXPECT_THAT(outcome.out, IsEmpty());
}

}  // namespace
