#include "apps/dmrg/sweep_table.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/apps/complaint.h"

namespace dmrg {
namespace {

using ::testing::HasSubstr;

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

class MalformedTable : public ::testing::TestWithParam<apps::BadText> {};

TEST_P(MalformedTable, IsRefusedWithASentenceThatNamesTheLine) {
  apps::expect_refused(apps::complaint_of([] { read(GetParam().text); }), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedTable,
    ::testing::Values(apps::BadText{"", "t.txt:0", "begin with 'sweeps {'"},
                      apps::BadText{"input {\n", "t.txt:1", "begin with 'sweeps {'"},
                      apps::BadText{"sweeps\n20 20 0 2 0\n", "t.txt:2", "begin with 'sweeps {'"},
                      apps::BadText{"sweeps {\n20 20 0 2 0\n}\n", "t.txt:2", "names of the columns"},
                      apps::BadText{"sweeps {\nmaxm minm cutoff niter noise\n", "t.txt:2", "names of the columns"},
                      apps::BadText{head + "}\n", "t.txt:3", "no sweeps"},
                      apps::BadText{head + "20 20 0 2\n}\n", "t.txt:3", "here are 4"},
                      apps::BadText{head + "20 10 0 2 0\n", "t.txt:3", "close it with '}'"},
                      apps::BadText{head + "x 10 0 2 0\n}\n", "t.txt:3", "maxdim 'x'"},
                      apps::BadText{head + "0 10 0 2 0\n}\n", "t.txt:3", "maxdim '0' must be from 1"},
                      apps::BadText{head + "100001 10 0 2 0\n}\n", "t.txt:3", "to 100000"},
                      apps::BadText{head + "20 21 0 2 0\n}\n", "t.txt:3", "mindim '21' must be from 1 to 20"},
                      apps::BadText{head + "20 1 -1e-9 2 0\n}\n", "t.txt:3", "cutoff '-1e-9'"},
                      apps::BadText{head + "20 1 nan 2 0\n}\n", "t.txt:3", "cutoff 'nan'"},
                      apps::BadText{head + "20 1 0 0 0\n}\n", "t.txt:3", "niter '0'"},
                      apps::BadText{head + "20 1 0 2 1e-7\n}\n", "t.txt:3", "noise '1e-7' is not supported: write 0"},
                      apps::BadText{head + "20 1 0 2 0\n}\nmore\n", "t.txt:5", "nothing may follow"}));

}  // namespace
}  // namespace dmrg
