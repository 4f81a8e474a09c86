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

class SpgemmProgram : public apps::ProgramTest {
 protected:
  SpgemmProgram() : ProgramTest(SPGEMM_PROGRAM) {}
};

TEST_F(SpgemmProgram, PrintsTheSameOnEveryRun) {
  const Outcome first = run("--kron 9 --threads 4 --inputs 3");
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, HasSubstr("kron 9 seed 3"));
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run("--kron 9 --threads 4 --inputs 3").out, first.out);
}

TEST_F(SpgemmProgram, ChecksumDependsOnTheInputAndNotOnTheThreads) {
  const std::string expected = last_line(run("--kron 8 --threads 1").out);
  EXPECT_EQ(last_line(run("--kron 8 --threads 2").out), expected);
  EXPECT_EQ(last_line(run("--kron 8 --threads 12").out), expected);
  EXPECT_NE(last_line(run("--kron 8 --threads 2 --seed 2").out), expected);
}

TEST_F(SpgemmProgram, TimesGoToStandardError) {
  const Outcome outcome = run("--kron 6 --inputs 1 --threads 2 --times");
  EXPECT_THAT(outcome.err, HasSubstr("kron 6 seed 1: "));
  EXPECT_EQ(outcome.out, run("--kron 6 --inputs 1 --threads 2").out);
}

TEST_F(SpgemmProgram, MultipliesAMatrixFromAFile) {
  const std::string path =
      file("m.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 3\n1 1 2\n2 2 0.5\n3 1 -1\n");
  const Outcome outcome = run("--matrix " + path + " --threads 2 --inputs 2");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("permuted 2"));
  EXPECT_THAT(outcome.out, HasSubstr("checksum: 0x"));
}

TEST_F(SpgemmProgram, ManyMoreThreadsThanRowsAreHarmless) {
  EXPECT_EQ(run("--kron 3 --threads 40 --inputs 2").status, 0);
}

TEST_F(SpgemmProgram, BadInputEndsWithStatus2AndASentence) {
  const std::string path = file("m.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 1\n5 1 1\n");
  for (const auto& [arguments, sentence] : {std::pair{"--matrix " + path, path + ":3: the row '5'"},
                                            std::pair{"--matrix " + path + ".gone", std::string(".gone: ")},
                                            std::pair{"--matrix " + folder.string(), std::string("not a file")},
                                            std::pair{std::string("--kron 0"), std::string("--kron: '0'")},
                                            std::pair{std::string("nonsense"), std::string("'nonsense'")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(SpgemmProgram, HelpListsTheOptions) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* option : {"--kron", "--matrix", "--inputs", "--threads", "--seed", "--times"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

}  // namespace
