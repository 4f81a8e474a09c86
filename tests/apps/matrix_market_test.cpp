#include "apps/spgemm/matrices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/apps/complaint.h"

namespace spgemm {

static bool operator==(const Triple& a, const Triple& b) {
  return a.row == b.row && a.column == b.column && a.value == b.value;
}
static void PrintTo(const Triple& entry, std::ostream* out) {
  *out << '(' << entry.row << ", " << entry.column << ", " << entry.value << ')';
}

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Triples read(const std::string& text) {
  std::istringstream stream(text);
  return read_matrix_market(stream, "m.mtx");
}

std::string matrix(const std::string& kind, const std::string& rest) {
  return "%%MatrixMarket matrix coordinate " + kind + "\n" + rest;
}

TEST(MatrixMarket, ReadsReal) {
  const Triples m = read(matrix("real general", "% a comment\n\n2 3 3\n1 3 2.5\n% another one\n2 1 -1e-3\n1 1 +4\n"));
  EXPECT_EQ(m.rows, 2U);
  EXPECT_EQ(m.columns, 3U);
  EXPECT_THAT(m.entries, ElementsAre(Triple{0, 2, 2.5}, Triple{1, 0, -1e-3}, Triple{0, 0, 4.0}));
}

TEST(MatrixMarket, ReadsIntegerSymmetric) {
  const Triples m = read(matrix("integer symmetric", "3 3 2\n2 2 5\n3 1 -7\n"));
  EXPECT_THAT(m.entries, ElementsAre(Triple{1, 1, 5.0}, Triple{2, 0, -7.0}, Triple{0, 2, -7.0}));
}

TEST(MatrixMarket, ReadsSkewSymmetric) {
  const Triples m = read(matrix("real skew-symmetric", "2 2 1\n2 1 1.5\n"));
  EXPECT_THAT(m.entries, ElementsAre(Triple{1, 0, 1.5}, Triple{0, 1, -1.5}));
}

TEST(MatrixMarket, ReadsPattern) {
  const Triples m = read(matrix("pattern general", "2 2 2\n1 2\n2 2\n"));
  EXPECT_THAT(m.entries, ElementsAre(Triple{0, 1, 1.0}, Triple{1, 1, 1.0}));
}

TEST(MatrixMarket, TakesCapitalLettersCarriageReturnsAndAMissingLastNewline) {
  const Triples m = read("%%MATRIXMARKET Matrix Coordinate REAL General\r\n1 1 1\r\n1 1 3");
  EXPECT_THAT(m.entries, ElementsAre(Triple{0, 0, 3.0}));
}

TEST(MatrixMarket, TakesAMatrixWithoutEntries) { EXPECT_TRUE(read(matrix("real general", "4 2 0\n")).entries.empty()); }

class MalformedFile : public ::testing::TestWithParam<apps::BadText> {};

TEST_P(MalformedFile, IsRefusedWithASentenceThatNamesTheLine) {
  apps::expect_refused(apps::complaint_of([] { read(GetParam().text); }), GetParam());
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedFile,
    ::testing::Values(
        apps::BadText{"", "m.mtx:0", "is empty"}, apps::BadText{"hello\n", "m.mtx:1", "not the first line"},
        apps::BadText{"%%MatrixMarket matrix coordinate real\n", "m.mtx:1", "not the first line"},
        apps::BadText{"%%MatrixMarket vector coordinate real general\n", "m.mtx:1", "not the first line"},
        apps::BadText{"%%MatrixMarket matrix array real general\n", "m.mtx:1", "'array'"},
        apps::BadText{matrix("complex general", ""), "m.mtx:1", "'complex'"},
        apps::BadText{matrix("real hermitian", ""), "m.mtx:1", "'hermitian'"},
        apps::BadText{matrix("pattern skew-symmetric", "1 1 0\n"), "m.mtx:1", "cannot be skew-symmetric"},
        apps::BadText{matrix("real general", "% only a comment\n"), "m.mtx:2", "size line"},
        apps::BadText{matrix("real general", "3 3\n"), "m.mtx:2", "size line"},
        apps::BadText{matrix("real general", "3 x 1\n"), "m.mtx:2", "'x'"},
        apps::BadText{matrix("real general", "0 3 0\n"), "m.mtx:2", "between 1 and"},
        apps::BadText{matrix("real general", "2147483648 3 0\n"), "m.mtx:2", "between 1 and"},
        apps::BadText{matrix("real general", "99999999999999999999999 3 0\n"), "m.mtx:2", "out of range"},
        apps::BadText{matrix("real general", "3 3 -1\n"), "m.mtx:2", "'-1'"},
        apps::BadText{matrix("real symmetric", "3 2 0\n"), "m.mtx:2", "must be square"},
        apps::BadText{matrix("real general", "2 2 2\n1 1 1\n"), "m.mtx:3", "after 1 of the 2"},
        apps::BadText{matrix("real general", "2 2 999999999999999999\n1 1 1\n"), "m.mtx:3", "after 1 of"},
        apps::BadText{matrix("real general", "2 2 1\n1 1 1\n\n2 2 1\n"), "m.mtx:5", "more entries than the 1"},
        apps::BadText{matrix("real general", "2 2 1\n0 1 1\n"), "m.mtx:3", "the row '0'"},
        apps::BadText{matrix("real general", "2 2 1\n3 1 1\n"), "m.mtx:3", "the row '3'"},
        apps::BadText{matrix("real general", "2 2 1\n1 3 1\n"), "m.mtx:3", "the column '3'"},
        apps::BadText{matrix("real general", "2 2 1\n1 1\n"), "m.mtx:3", "3 words, and found 2"},
        apps::BadText{matrix("pattern general", "2 2 1\n1 1 5\n"), "m.mtx:3", "2 words, and found 3"},
        apps::BadText{matrix("real general", "2 2 1\n1 1 1.5z\n"), "m.mtx:3", "'1.5z'"},
        apps::BadText{matrix("real general", "2 2 1\n1 1 nan\n"), "m.mtx:3", "not finite"},
        apps::BadText{matrix("real general", "2 2 1\n1 1 1e999\n"), "m.mtx:3", "out of range"},
        apps::BadText{matrix("integer general", "2 2 1\n1 1 1.5\n"), "m.mtx:3", "'1.5'"},
        apps::BadText{matrix("real symmetric", "2 2 1\n1 2 1\n"), "m.mtx:3", "on and below the diagonal"},
        apps::BadText{matrix("real skew-symmetric", "2 2 1\n1 1 1\n"), "m.mtx:3", "diagonal"},
        apps::BadText{matrix("real general", std::string("2 2 1\n\x01\xff\0 1 1\n", 13)), "m.mtx:3", "the row '"}));

TEST(MatrixMarket, NamesAFileThatCannotBeOpened) {
  EXPECT_THAT(apps::complaint_of([] { read_matrix_market_file("/nowhere/m.mtx"); }), HasSubstr("/nowhere/m.mtx"));
}

}  // namespace
}  // namespace spgemm
