// The program from the outside: exit status, both outputs.
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

class BfsProgram : public apps::ProgramTest {
 protected:
  BfsProgram() : ProgramTest(BFS_PROGRAM) {}
};

TEST_F(BfsProgram, PrintsTheSameOnEveryRun) {
  const std::string arguments = "--crawl 9 --uniform 10 --sources 3 --threads 4";
  const Outcome first = run(arguments);
  EXPECT_EQ(first.status, 0);
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, HasSubstr("uniform 10 seed 2"));
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run(arguments).out, first.out);
}

TEST_F(BfsProgram, ChecksumDependsOnTheInputAndNotOnTheThreads) {
  const std::string expected = last_line(run("--kron 9 --threads 1").out);
  EXPECT_EQ(last_line(run("--kron 9 --threads 2").out), expected);
  EXPECT_EQ(last_line(run("--kron 9 --threads 12").out), expected);
  EXPECT_NE(last_line(run("--kron 9 --threads 2 --seed 2").out), expected);
}

TEST_F(BfsProgram, TimesGoToStandardError) {
  const Outcome outcome = run("--kron 6 --sources 1 --threads 2 --times");
  EXPECT_THAT(outcome.err, HasSubstr("source "));
  EXPECT_EQ(outcome.out, run("--kron 6 --sources 1 --threads 2").out);
}

TEST_F(BfsProgram, SearchesAGraphFromAFileAndManyMoreThreadsThanVerticesAreHarmless) {
  const Outcome outcome = run("--graph " + file("g.txt", "# four\n0 1\n1 2\n2 3\n") + " --threads 40");
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("4 vertices, 3 edges"));
}

TEST_F(BfsProgram, BadInputEndsWithStatus2AndASentence) {
  const std::string path = file("g.txt", "0 1\n1 2 3\n");
  for (const auto& [arguments, sentence] : {std::pair{"--graph " + path, path + ":2: an edge is two vertices"},
                                            std::pair{"--graph " + path + ".gone", std::string(".gone: ")},
                                            std::pair{"--graph " + folder.string(), std::string("not a file")},
                                            std::pair{std::string("--kron 0"), std::string("--kron: '0'")},
                                            std::pair{std::string("nonsense"), std::string("'nonsense'")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
  }
}

TEST_F(BfsProgram, HelpListsTheOptions) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* option : {"--kron", "--crawl", "--uniform", "--graph", "--sources", "--threads", "--seed"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

}  // namespace
