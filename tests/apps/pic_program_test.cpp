// pic from the outside.
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

class PicProgram : public apps::ProgramTest {
 protected:
  PicProgram() : ProgramTest(PIC_PROGRAM) {}
};

TEST_F(PicProgram, PrintsTheSameOnEveryRunAndForAnyNumberOfThreads) {
  const Outcome first = run("--built-in small --threads 4");
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_THAT(first.err, IsEmpty());
  EXPECT_THAT(last_line(first.out), ::testing::MatchesRegex("checksum: 0x[0-9a-f]+\n"));
  EXPECT_EQ(run("--built-in small --threads 4").out, first.out);
  for (const char* threads : {"1", "5", "40"}) {
    EXPECT_EQ(last_line(run(std::string("--built-in small --threads ") + threads).out), last_line(first.out))
        << threads;
  }
  EXPECT_NE(last_line(run("--built-in small --threads 4 --seed 2").out), last_line(first.out));
}

TEST_F(PicProgram, RunsADeckFromAFileAndOfAnotherScale) {
  const std::string deck = file("my.deck", run("--built-in small --print-deck").out);
  EXPECT_EQ(run("--threads 2 --deck " + deck).out, run("--threads 2 --built-in small").out);
  EXPECT_THAT(run("--threads 2 --scale 2 --deck " + deck).out, HasSubstr("64 x 48 cells"));
}

TEST_F(PicProgram, TimesGoToStandardError) {
  EXPECT_THAT(run("--built-in small --threads 2 --times").err, HasSubstr("32 x 24 cells, 4 a cell: "));
}

TEST_F(PicProgram, SaysWhenAStepIsTooCoarseForThePhysics) {
  // Ten plasma periods a step: the particles gain energy that nobody gave them.
  const std::string deck = file("bad.deck", "cell_size = 90\nplasma.ppc = 2\nn_cell = 16 16\nsteps = 10\n");
  const Outcome outcome = run("--threads 2 --deck " + deck);
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("NO"));
  EXPECT_THAT(outcome.err, HasSubstr("not conserved"));
}

TEST_F(PicProgram, BadInputEndsWithStatus2AndASentence) {
  const std::string deck = file("bad.deck", "steps = 3\nstep = 4\n");
  for (const auto& [arguments, sentence] : {std::pair{"--deck " + deck, deck + ":2: there is no key 'step'"},
                                            std::pair{"--deck " + deck + ".gone", std::string(".gone: cannot be read")},
                                            std::pair{"--deck " + folder.string(), std::string("cannot be read")},
                                            std::pair{std::string("--scale 99"), std::string("--scale: '99'")},
                                            std::pair{std::string("nonsense"), std::string("'nonsense'")}}) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.err, HasSubstr(sentence));
    EXPECT_THAT(outcome.out, IsEmpty());
  }
}

TEST_F(PicProgram, HelpListsTheOptions) {
  const Outcome outcome = run("--help");
  EXPECT_EQ(outcome.status, 0);
  for (const char* option : {"--deck", "--built-in", "--print-deck", "--scale", "--threads", "--seed", "--times"}) {
    EXPECT_THAT(outcome.out, HasSubstr(option));
  }
}

}  // namespace
