// Two tiers, and one system call after the other fails: is the program what it was, and does LB-HM name what is off and
// the remedy? The table is tests/faults/words.txt, which tests/faults/refusals_test.py reads for a host of one memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "refusals/words.h"

namespace kernel_test {
namespace {

const std::string program = "kernel-refused";
const Environment defaults = {{"LBHM_POLICY", "merchandiser-once"},
                              {"LBHM_SAMPLER", "faults"},
                              {"LBHM_FAST_CAPACITY", "12M"},
                              {"LBHM_REFUSED", "refused"}};

Environment with(Environment settings, const Environment& more) {
  for (const auto& [name, value] : more) settings[name] = value;
  return settings;
}

/// Without refusals: by itself, and under LB-HM.
struct Unharmed {
  Outcome alone, managed;
};

const Unharmed& unharmed(const Environment& settings) {
  static std::map<Environment, Unharmed> known;
  const auto found = known.find(settings);
  if (found != known.end()) return found->second;
  return known[settings] = {run({program}, with(settings, {{"LD_PRELOAD", ""}})),
                            run({program}, with(defaults, settings))};
}

Outcome refuse(const Expected& row) {
  std::vector<std::string> command{"refuse"};
  std::ranges::copy(row.rules, std::back_inserter(command));
  command.insert(command.end(), {"--", program});
  std::remove("refused");
  return run(command, with(with(defaults, row.settings), {{"LD_PRELOAD", ""}, {"LBHM_PRELOAD", "/lib/liblbhm.so"}}));
}

long refusals() {
  std::ifstream counts("refused");
  long sum = 0;
  for (long count; counts >> count;) sum += count;
  return sum;
}

struct Refusals : testing::TestWithParam<Expected> {};

TEST_P(Refusals, ChangeNothingAndAreNamed) {
  const Unharmed& before = unharmed(GetParam().settings);
  ASSERT_EQ(before.alone.status, 0) << before.alone.output;
  const Outcome faulty = refuse(GetParam());
  EXPECT_EQ(faulty.status, before.alone.status) << faulty.output;
  EXPECT_EQ(own_output(faulty), own_output(before.alone));
  const auto usual = sentences_of(before.managed), said = sentences_of(faulty);
  const auto& words = GetParam().words;
  if (words.empty()) {
    if (GetParam().never_called) EXPECT_EQ(refusals(), 0) << "it is called: what is off without it?";
    EXPECT_EQ(said, usual);
    return;
  }
  EXPECT_GT(refusals(), 0);
  EXPECT_EQ(sentence_with(usual, words), "") << "it is said anyhow";
  const std::string sentence = sentence_with(said, words);
  std::printf("  %s\n", sentence.c_str());
  EXPECT_NE(sentence, "") << testing::PrintToString(said);
  EXPECT_LE(std::ranges::count(faulty.output, '\n') - std::ranges::count(own_output(faulty), '\n'), 1) << faulty.output;
}

INSTANTIATE_TEST_SUITE_P(Table, Refusals, testing::ValuesIn(expected_words()), [](const auto& row) {
  std::string name = std::to_string(row.index) + "_" + row.param.rules[0];
  for (char& letter : name)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return name;
});

/// What few open files leave to a program is its own affair; that LB-HM and its modules need more is not.
TEST(RefusalsOfFiles, ManyOrFewChangeNothing) {
  for (const char* const most : {"6", "9", "14"}) {
    const std::string limited = std::string("ulimit -n ") + most + "; exec " + program;
    const Outcome alone = run({"sh", "-c", limited}, {{"LD_PRELOAD", ""}});
    if (alone.status != 0) continue;
    const Outcome managed =
        run({"sh", "-c", "export LD_PRELOAD=/lib/liblbhm.so; " + limited}, with(defaults, {{"LD_PRELOAD", ""}}));
    EXPECT_EQ(managed.status, 0) << most << ": " << managed.output;
    EXPECT_EQ(own_output(managed), own_output(alone)) << most;
  }
}

/// The tests above would pass in a guest that does not move pages, or with a table that is not there.
TEST(RefusalsOfNothing, TheProgramIsPlacedAndPagesMove) {
  ASSERT_GT(expected_words().size(), 10U);
  const Unharmed& before = unharmed({});
  ASSERT_TRUE(before.managed.report.is_object()) << before.managed.output;
  EXPECT_EQ(own_output(before.managed), own_output(before.alone));
  EXPECT_GT(before.managed.report["migrated_bytes"], 0);
  for (const std::string& sentence : sentences_of(before.managed)) std::printf("  usual: %s\n", sentence.c_str());
}

}  // namespace
}  // namespace kernel_test
