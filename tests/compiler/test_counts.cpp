// Are instructions, accesses, vectors, branches and mispredictions those of the program's own code?
#include <gtest/gtest.h>

#include "tests/compiler/program.h"

namespace lbhm::test {
namespace {

const std::string scalar = " -fno-vectorize -fno-slp-vectorize";

TEST(Counts, accesses_do_not_depend_on_the_level) {
  for (const char* level : {"-O0", "-O1", "-O2", "-O3"}) {
    Recording seen = record(level + scalar, {"stream.c"});
    EXPECT_EQ(seen.sums["accesses"], 3U * 900) << level << ": two loads and a store for each element";
    EXPECT_EQ(seen.sums["vectors"], 0U) << level;
  }
}

TEST(Counts, vectors_are_counted_and_save_accesses) {
  Recording seen = record("-O2", {"stream.c"});
  EXPECT_GE(seen.sums["accesses"], 3U * 900 / 2);
  EXPECT_LE(seen.sums["accesses"], 3U * 900 / 2 + 16);
  EXPECT_GE(seen.sums["vectors"], seen.sums["accesses"]) << "every vector access is a vector instruction";
  EXPECT_GT(seen.sums["instructions"], seen.sums["vectors"]);
}

TEST(Counts, branches_are_predicted_by_their_last_outcome) {
  Recording seen = record("-O1 -fno-unroll-loops", {"counts.c"});
  EXPECT_EQ(seen.sums["accesses"], 1000U);
  // The loop's own branch and the one in it.
  EXPECT_GE(seen.sums["branches"], 2000U);
  EXPECT_LE(seen.sums["branches"], 2010U);
  // 199 changes, the first outcome perhaps, and the end of the loop.
  EXPECT_GE(seen.sums["mispredictions"], 199U);
  EXPECT_LE(seen.sums["mispredictions"], 204U);
}

TEST(Counts, exceptions_keep_what_was_counted_and_pushed) {
  for (const char* level : {"-O0", "-O1", "-O2"}) {
    Recording seen = record("-lstdc++ " + std::string(level), {"exceptions.cpp"});
    // Three reads and a write a call; each second one throws an int (a store) and catches it (a load).
    EXPECT_EQ(seen.sums["accesses"], 1000U * 4 + 500 * 2) << level;
    EXPECT_EQ(seen.blocks["from"].reads, every(0, 999)) << level;
    EXPECT_EQ(seen.blocks["to"].writes, every(0, 999)) << level;
  }
}

}  // namespace
}  // namespace lbhm::test
