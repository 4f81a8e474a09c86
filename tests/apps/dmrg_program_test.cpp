// dmrg from the outside: exit status, both outputs.
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

struct DmrgProgram : apps::ProgramTest {
  DmrgProgram() : ProgramTest(DMRG_PROGRAM) {}
};

TEST_F(DmrgProgram, FindsTheKnownEnergyAndPrintsTheSameOnEveryRun) {
  const std::string arguments = "--model heisenberg --length 20 --dims 16,32,64,100 --threads 3";
  const Outcome first = run(arguments);
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(first.out, HasSubstr("ground state: -8.68247333"));
  EXPECT_THAT(first.out, HasSubstr("exact -8.682473334399, verified: yes"));
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run(arguments).out, first.out);
}

TEST_F(DmrgProgram, ChecksumDependsOnTheModelAndNotOnTheThreads) {
  const std::string expected = last_line(run("--length 6 --dims 16,32 --threads 1").out);
  EXPECT_EQ(last_line(run("--length 6 --dims 16,32 --threads 2").out), expected);
  EXPECT_EQ(last_line(run("--length 6 --dims 16,32 --threads 12").out), expected);
  EXPECT_NE(last_line(run("--length 6 --dims 16,32 --threads 2 --interaction 3").out), expected);
}

TEST_F(DmrgProgram, ReadsATableOfSweeps) {
  const std::string path =
      file("sweeps.txt", "sweeps {\nmaxdim mindim cutoff niter noise\n16 1 0 2 0\n32 1 0 2 0\n}\n");
  const Outcome outcome = run("--length 3 --width 2 --threads 2 --times --sweeps " + path);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("verified: yes"));
  EXPECT_THAT(outcome.err, HasSubstr("sweep 2: "));
}

TEST_F(DmrgProgram, BadInputEndsWithStatus2AndASentence) {
  const std::string path = file("sweeps.txt", "sweeps {\nmaxdim mindim cutoff niter noise\n16 1 0 2 1\n}\n");
  for (const auto& [arguments, sentence] : {std::pair{"--sweeps " + path, path + ":3: noise '1'"},
                                            std::pair{"--sweeps " + path + ".gone", std::string(".gone: ")},
                                            std::pair{"--sweeps " + folder.string(), std::string("not a file")},
                                            std::pair{std::string("--length 2"), std::string("at least 3 sites")},
                                            std::pair{std::string("nonsense"), std::string("'nonsense'")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(DmrgProgram, HelpListsTheOptions) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* option : {"--model", "--length", "--width", "--interaction", "--sweeps", "--dims", "--iterations",
                             "--measure", "--threads", "--times"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

}  // namespace
