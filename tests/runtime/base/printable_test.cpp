// Is a sentence one line that does nothing to a terminal, whatever others wrote into it?
#include <gmock/gmock.h>
#include <unistd.h>

#include <array>

#include "runtime/base/printable.h"

namespace lbhm {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(Printable, TextStaysAsItIs) {
  EXPECT_EQ(printable(R"(C:\n "matrix" µs Größe 数 😀)"), R"(C:\n "matrix" µs Größe 数 😀)");
}

TEST(Printable, WhatMovesTheCursorIsAnEscape) {
  EXPECT_EQ(printable("a\nb\r\tc"), R"(a\nb\r\tc)");
  EXPECT_EQ(printable("\x1b[2J\x07\x7f"), R"(\x1b[2J\x07\x7f)");
  EXPECT_EQ(printable("\xc2\x9b"), R"(\x9b)") << "CSI of C1";
  EXPECT_EQ(printable(std::string_view("\0", 1)), R"(\x00)");
}

TEST(Printable, LineBreaksAndTurnsOfUnicodeAreEscapes) {
  EXPECT_EQ(printable("a\u2028b\u202ec\u2066"), R"(a\u2028b\u202ec\u2066)");
}

TEST(Printable, WhatIsNoUtf8IsEscapedByteByByte) {
  EXPECT_EQ(printable("\x80\xff"), R"(\x80\xff)");
  EXPECT_EQ(printable("\xc0\xaf"), R"(\xc0\xaf)") << "too long a form";
  EXPECT_EQ(printable("\xed\xa0\x80"), R"(\xed\xa0\x80)") << "a surrogate";
  EXPECT_EQ(printable("\xe2\x82"), R"(\xe2\x82)") << "cut short";
  EXPECT_EQ(printable("\xf5\x80\x80\x80"), R"(\xf5\x80\x80\x80)");
}

TEST(Printable, WithoutRoomItEndsBeforeAnEscapeThatDoesNotFit) {
  std::array<char, 6> out{};
  EXPECT_EQ(printable("abc\x1b[", out), 3u);
  EXPECT_EQ(printable("ab\x1b[", out), 6u);
}

class PrintLine : public testing::Test {
 protected:
  static std::string printed(std::string_view sentence) {
    testing::internal::CaptureStderr();
    print_line("lbhm: ", sentence);
    return testing::internal::GetCapturedStderr();
  }
};

TEST_F(PrintLine, IsOneLine) {
  EXPECT_EQ(printed("LBHM_REPORT=a\nlbhm: all is well\x1b[1A"), "lbhm: LBHM_REPORT=a\\nlbhm: all is well\\x1b[1A\n");
}

TEST_F(PrintLine, ToAPipeThatNobodyReadsRaisesNoSignal) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  close(ends[0]);
  const int before = dup(STDERR_FILENO);
  dup2(ends[1], STDERR_FILENO);
  print_line("lbhm: ", "sentence");
  dup2(before, STDERR_FILENO);
  close(ends[1]);
  close(before);
}

TEST_F(PrintLine, OfALongSentenceBeginAndRemedyAreLeft) {
  for (const std::size_t length : {500, 512, 513, 3000, 4080, 4085, 4090, 4096, 10'000, 1'000'000}) {
    for (const char fill : {'x', '\x1b'}) {
      const std::string line = printed("BEGIN" + std::string(length, fill) + "; unset it");
      EXPECT_THAT(line, StartsWith("lbhm: BEGIN"));
      EXPECT_THAT(line, EndsWith("; unset it\n"));
      EXPECT_LE(line.size(), 4096u);
      EXPECT_EQ(line.find('\n'), line.size() - 1);
    }
  }
  EXPECT_THAT(printed(std::string(10'000, 'x')), HasSubstr(" ... "));
}

}  // namespace
}  // namespace lbhm
