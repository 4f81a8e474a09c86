#include "apps/pic/deck.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "apps/common/mini_app.h"
#include "apps/pic/pic_options.h"
#include "apps/pic/plasma_boxes.h"
#include "tests/apps/complaint.h"

namespace pic {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Deck read(const std::string& text) {
  std::istringstream stream(text);
  return read_deck(stream, "my.deck");
}

TEST(Deck, ReadsKeysListsAndComments) {
  const Deck deck = read(
      "# a plasma\n\n n_cell = 64 32\r\nmax_grid_size = 16 # boxes\nbeam.ux = -2.5\nsteps = 7\n"
      "scan.ppc = 1 2.5\n");
  EXPECT_THAT(deck.n_cell, ElementsAre(64U, 32U));
  EXPECT_EQ(deck.boxes(0), 4);
  EXPECT_EQ(deck.boxes(1), 2);
  EXPECT_EQ(deck.beam_ux, -2.5);
  EXPECT_EQ(deck.steps, 7U);
  EXPECT_THAT(deck.scan_ppc, ElementsAre(1.0, 2.5));
  EXPECT_THAT(deck.scan_refine, ElementsAre(1.0, 1.0)) << "one value is for all plasmas";
}

TEST(Deck, EmptyDeckIsTheDefault) { EXPECT_EQ(read("").plasmas(), 1U); }

class MalformedDeck : public ::testing::TestWithParam<apps::BadText> {};

TEST_P(MalformedDeck, IsRefusedWithASentenceThatNamesTheLine) {
  apps::expect_refused(apps::complaint_of([] { read(GetParam().text); }), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedDeck,
    ::testing::Values(apps::BadText{"steps 3\n", "my.deck:1", "key = value"},
                      apps::BadText{"steps =\n", "my.deck:1", "key = value"},
                      apps::BadText{"\nstep = 3\n", "my.deck:2", "no key 'step'. Keys are n_cell"},
                      apps::BadText{"steps = 3\nsteps = 3\n", "my.deck:2", "stands here twice"},
                      apps::BadText{"steps = 0\n", "my.deck:1", "a whole number from 1 to 1000000"},
                      apps::BadText{"steps = 2.5\n", "my.deck:1", "a whole number"},
                      apps::BadText{"steps = many\n", "my.deck:1", "'many'"},
                      apps::BadText{"cfl = 1\n", "my.deck:1", "a number from 0.001 to 0.999"},
                      apps::BadText{"cfl = nan\n", "my.deck:1", "'nan' must be"},
                      apps::BadText{"n_cell = 64\n", "my.deck:1", "takes 2 value(s), and found 1"},
                      apps::BadText{"n_cell = 64 64 64\n", "my.deck:1", "found 3"},
                      apps::BadText{"n_cell = 1e9 64\n", "my.deck:1", "from 8 to 16384"},
                      apps::BadText{"scan.ppc = 1 2\nscan.refine = 1 1 1\n", "my.deck:2", "equally many values"},
                      apps::BadText{"n_cell = 8 8\nmax_grid_size = 4\nscan.refine = 0.5\n", "my.deck:3",
                                    "raise max_grid_size"}));

TEST(Deck, BuiltInDecksAreGood) {
  for (const char* name : {"standard", "small"}) EXPECT_GE(read_built_in_deck(name).plasmas(), 3U) << name;
  EXPECT_THROW(built_in_deck("huge"), apps::InputError);
}

TEST(Deck, ScaledHasTheSameBoxesWithMoreCells) {
  const Deck deck = read_built_in_deck("small");
  const Deck large = scaled(deck, 3);
  EXPECT_EQ(large.boxes(0), deck.boxes(0));
  EXPECT_EQ(large.cells(0, 0), 3 * deck.cells(0, 0));
  EXPECT_EQ(large.beam_particles, 9 * deck.beam_particles);
}

std::string error_of(const std::vector<std::string_view>& arguments) {
  return apps::complaint_of([&] { parse_options(arguments); });
}

TEST(PicOptions, ErrorsNameTheOptionAndTheRemedy) {
  EXPECT_THAT(error_of({"--scale", "0"}), AllOf(HasSubstr("--scale"), HasSubstr("from 1 to 16")));
  EXPECT_THAT(error_of({"--built-in", "big"}), AllOf(HasSubstr("'big'"), HasSubstr("standard or small")));
  EXPECT_THAT(error_of({"--deck", "a", "--built-in", "small"}), HasSubstr("give one of them"));
  EXPECT_THAT(error_of({"--dekc"}), AllOf(HasSubstr("'--dekc'"), HasSubstr("--help")));
  EXPECT_EQ(error_of({"--threads", "3", "--seed", "4", "--times"}), "");
}

}  // namespace
}  // namespace pic
