#include "apps/spgemm/matrix_market.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "apps/common/error.h"

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
using ::testing::StartsWith;

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

struct Bad {
  const char* name;
  std::string text;
  const char* position;  // file and line that the sentence begins with
  const char* reason;
};

class MalformedFile : public ::testing::TestWithParam<Bad> {};

TEST_P(MalformedFile, IsRefusedWithASentenceThatNamesTheLine) {
  try {
    read(GetParam().text);
    FAIL() << "accepted";
  } catch (const apps::InputError& error) {
    EXPECT_THAT(error.what(), StartsWith(std::string(GetParam().position) + ": "));
    EXPECT_THAT(error.what(), HasSubstr(GetParam().reason));
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, MalformedFile,
    ::testing::Values(
        Bad{"Empty", "", "m.mtx:0", "is empty"}, Bad{"NotMatrixMarket", "hello\n", "m.mtx:1", "not the first line"},
        Bad{"ShortHeader", "%%MatrixMarket matrix coordinate real\n", "m.mtx:1", "not the first line"},
        Bad{"Vector", "%%MatrixMarket vector coordinate real general\n", "m.mtx:1", "not the first line"},
        Bad{"Dense", "%%MatrixMarket matrix array real general\n", "m.mtx:1", "'array'"},
        Bad{"Complex", matrix("complex general", ""), "m.mtx:1", "'complex'"},
        Bad{"Hermitian", matrix("real hermitian", ""), "m.mtx:1", "'hermitian'"},
        Bad{"SkewPattern", matrix("pattern skew-symmetric", "1 1 0\n"), "m.mtx:1", "cannot be skew-symmetric"},
        Bad{"NoSize", matrix("real general", "% only a comment\n"), "m.mtx:2", "size line"},
        Bad{"ShortSize", matrix("real general", "3 3\n"), "m.mtx:2", "size line"},
        Bad{"SizeNoNumber", matrix("real general", "3 x 1\n"), "m.mtx:2", "'x'"},
        Bad{"NoRows", matrix("real general", "0 3 0\n"), "m.mtx:2", "between 1 and"},
        Bad{"TooManyRows", matrix("real general", "2147483648 3 0\n"), "m.mtx:2", "between 1 and"},
        Bad{"HugeNumber", matrix("real general", "99999999999999999999999 3 0\n"), "m.mtx:2", "out of range"},
        Bad{"NegativeEntries", matrix("real general", "3 3 -1\n"), "m.mtx:2", "'-1'"},
        Bad{"SymmetricNotSquare", matrix("real symmetric", "3 2 0\n"), "m.mtx:2", "must be square"},
        Bad{"TooFewEntries", matrix("real general", "2 2 2\n1 1 1\n"), "m.mtx:3", "after 1 of the 2"},
        Bad{"PromisesTooMuch", matrix("real general", "2 2 999999999999999999\n1 1 1\n"), "m.mtx:3", "after 1 of"},
        Bad{"TooManyEntries", matrix("real general", "2 2 1\n1 1 1\n\n2 2 1\n"), "m.mtx:5", "more entries than the 1"},
        Bad{"RowZero", matrix("real general", "2 2 1\n0 1 1\n"), "m.mtx:3", "the row '0'"},
        Bad{"RowTooLarge", matrix("real general", "2 2 1\n3 1 1\n"), "m.mtx:3", "the row '3'"},
        Bad{"ColumnTooLarge", matrix("real general", "2 2 1\n1 3 1\n"), "m.mtx:3", "the column '3'"},
        Bad{"NoValue", matrix("real general", "2 2 1\n1 1\n"), "m.mtx:3", "3 words, and found 2"},
        Bad{"ValueInPattern", matrix("pattern general", "2 2 1\n1 1 5\n"), "m.mtx:3", "2 words, and found 3"},
        Bad{"ValueNoNumber", matrix("real general", "2 2 1\n1 1 1.5z\n"), "m.mtx:3", "'1.5z'"},
        Bad{"ValueNotFinite", matrix("real general", "2 2 1\n1 1 nan\n"), "m.mtx:3", "not finite"},
        Bad{"ValueTooLarge", matrix("real general", "2 2 1\n1 1 1e999\n"), "m.mtx:3", "out of range"},
        Bad{"RealInInteger", matrix("integer general", "2 2 1\n1 1 1.5\n"), "m.mtx:3", "'1.5'"},
        Bad{"UpperTriangle", matrix("real symmetric", "2 2 1\n1 2 1\n"), "m.mtx:3", "on and below the diagonal"},
        Bad{"SkewDiagonal", matrix("real skew-symmetric", "2 2 1\n1 1 1\n"), "m.mtx:3", "diagonal"},
        Bad{"BinaryRubbish", matrix("real general", std::string("2 2 1\n\x01\xff\0 1 1\n", 13)), "m.mtx:3",
            "the row '"}),
    [](const auto& info) { return info.param.name; });

TEST(MatrixMarket, NamesAFileThatCannotBeOpened) {
  try {
    read_matrix_market_file("/nowhere/m.mtx");
    FAIL() << "opened";
  } catch (const apps::InputError& error) { EXPECT_THAT(error.what(), HasSubstr("/nowhere/m.mtx")); }
}

}  // namespace
}  // namespace spgemm
