#include "apps/dmrg/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "apps/common/error.h"

namespace dmrg {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<Sweep> read(const std::string& text) {
  std::istringstream stream(text);
  return read_sweep_table(stream, "t.txt");
}

const std::string head = "sweeps {\nmaxdim mindim cutoff niter noise\n";

TEST(SweepTable, ReadsWhatItensorsProgramsRead) {
  const std::vector<Sweep> sweeps = read("% ground state\n\nsweeps\n{\n  maxdim mindim cutoff niter noise\n" +
                                         std::string("  20 10 1E-8 4 0\r\n  % longer\n  400 1 0 2 0.0\n}\n"));
  ASSERT_EQ(sweeps.size(), 2U);
  EXPECT_EQ(sweeps[0].truncation.max_dimension, 20U);
  EXPECT_EQ(sweeps[0].truncation.min_dimension, 10U);
  EXPECT_EQ(sweeps[0].truncation.cutoff, 1e-8);
  EXPECT_EQ(sweeps[0].iterations, 4U);
  EXPECT_EQ(sweeps[1].truncation.max_dimension, 400U);
  EXPECT_EQ(sweeps[1].truncation.cutoff, 0);
}

struct Bad {
  std::string text;
  const char* position;
  const char* reason;
};

class MalformedTable : public ::testing::TestWithParam<Bad> {};

TEST_P(MalformedTable, IsRefusedWithASentenceThatNamesTheLine) {
  try {
    read(GetParam().text);
    FAIL() << "accepted";
  } catch (const apps::InputError& error) {
    EXPECT_THAT(error.what(), StartsWith(std::string(GetParam().position) + ": "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().reason));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedTable,
    ::testing::Values(Bad{"", "t.txt:0", "begin with 'sweeps {'"}, Bad{"input {\n", "t.txt:1", "begin with 'sweeps {'"},
                      Bad{"sweeps\n20 20 0 2 0\n", "t.txt:2", "begin with 'sweeps {'"},
                      Bad{"sweeps {\n20 20 0 2 0\n}\n", "t.txt:2", "names of the columns"},
                      Bad{"sweeps {\nmaxm minm cutoff niter noise\n", "t.txt:2", "names of the columns"},
                      Bad{head + "}\n", "t.txt:3", "no sweeps"}, Bad{head + "20 20 0 2\n}\n", "t.txt:3", "here are 4"},
                      Bad{head + "20 10 0 2 0\n", "t.txt:3", "close it with '}'"},
                      Bad{head + "x 10 0 2 0\n}\n", "t.txt:3", "maxdim 'x'"},
                      Bad{head + "0 10 0 2 0\n}\n", "t.txt:3", "maxdim '0' must be from 1"},
                      Bad{head + "100001 10 0 2 0\n}\n", "t.txt:3", "to 100000"},
                      Bad{head + "20 21 0 2 0\n}\n", "t.txt:3", "mindim '21' must be from 1 to 20"},
                      Bad{head + "20 1 -1e-9 2 0\n}\n", "t.txt:3", "cutoff '-1e-9'"},
                      Bad{head + "20 1 nan 2 0\n}\n", "t.txt:3", "cutoff 'nan'"},
                      Bad{head + "20 1 0 0 0\n}\n", "t.txt:3", "niter '0'"},
                      Bad{head + "20 1 0 2 1e-7\n}\n", "t.txt:3", "noise '1e-7' is not supported: write 0"},
                      Bad{head + "20 1 0 2 0\n}\nmore\n", "t.txt:5", "nothing may follow"}));

}  // namespace
}  // namespace dmrg
