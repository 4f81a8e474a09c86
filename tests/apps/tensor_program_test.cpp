// The program from the outside.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "tests/apps/program_fixture.h"

namespace {

using apps::last_line;
using apps::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class TensorProgram : public apps::ProgramTest {
 protected:
  TensorProgram() : ProgramTest(TENSOR_PROGRAM) {}
};

TEST_F(TensorProgram, PrintsTheSameOnEveryRun) {
  const Outcome first = run("--atoms 2 --threads 4 --inputs 5");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, HasSubstr("hole ladder 5 atoms"));
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run("--atoms 2 --threads 4 --inputs 5").out, first.out);
}

TEST_F(TensorProgram, ChecksumDependsOnTheInputAndNotOnTheThreads) {
  const std::string expected = last_line(run("--atoms 2 --inputs 4 --threads 1").out);
  EXPECT_EQ(last_line(run("--atoms 2 --inputs 4 --threads 2").out), expected);
  EXPECT_EQ(last_line(run("--atoms 2 --inputs 4 --threads 12").out), expected);
  EXPECT_NE(last_line(run("--atoms 2 --inputs 4 --threads 2 --seed 2").out), expected);
}

TEST_F(TensorProgram, TimesGoToStandardError) {
  const Outcome outcome = run("--atoms 2 --inputs 1 --threads 2 --times");
  EXPECT_THAT(outcome.err, HasSubstr("particle ladder 2 atoms: "));
  EXPECT_EQ(outcome.out, run("--atoms 2 --inputs 1 --threads 2").out);
}

TEST_F(TensorProgram, ContractsTensorsFromFiles) {
  const std::string x = file("x.tns", "1 1 2\n2 3 0.5\n3 1 -1\n");
  const std::string y = file("y.tns", "1 2 4\n3 1 8\n2 2 9\n");
  const Outcome outcome = run("--tns " + x + " " + y + " 2:1 --threads 2 --inputs 2");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("permuted 2"));
  EXPECT_THAT(outcome.out, HasSubstr("checksum: 0x"));
}

TEST_F(TensorProgram, BadInputEndsWithStatus2AndASentence) {
  const std::string x = file("x.tns", "1 1 2\n2 0 0.5\n");
  const std::string y = file("y.tns", "1 2 4\n");
  for (const auto& [arguments, sentence] :
       {std::pair{"--tns " + x + " " + y + " 1:1", x + ":2: the coordinate '0'"},
        std::pair{"--tns " + y + " " + y + " 3:1", std::string("mode 3 of X")},
        std::pair{"--tns " + y + " " + y + ".gone 1:1", std::string(".gone: ")},
        std::pair{"--tns " + folder.string() + " " + y + " 1:1", std::string("not a file")},
        std::pair{std::string("--atoms 0"), std::string("--atoms: '0'")},
        std::pair{std::string("nonsense"), std::string("'nonsense'")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(TensorProgram, HelpListsTheOptions) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* option : {"--atoms", "--terms", "--tns", "--inputs", "--threads", "--seed", "--times"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

}  // namespace
