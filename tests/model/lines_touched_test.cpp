// How many cache lines does a walk with a constant step touch? The closed form against a walk that marks lines.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "model/model.h"

namespace lbhm {
namespace {

constexpr std::uint64_t line = 64;

/// Marks every line of every element. The object is rounded up to whole lines, as the paper does.
std::uint64_t marked(std::uint64_t object, std::uint64_t element, std::uint64_t stride) {
  const std::uint64_t rounded = (object + line - 1) / line * line;
  std::set<std::uint64_t> lines;
  for (std::uint64_t at = 0; at < rounded; at += stride) {
    for (std::uint64_t byte = at; byte < std::min(rounded, at + element); ++byte) lines.insert(byte / line);
  }
  return lines.size();
}

TEST(LinesTouched, AsManyAsAWalkMarks) {
  for (const std::uint64_t element : {1, 2, 4, 8, 12, 16, 32, 60, 100, 128}) {
    for (std::uint64_t stride = element; stride <= 400; stride += stride < 70 ? 1 : 7) {
      for (const std::uint64_t object : {1, 64, 65, 128, 1000, 4096, 10007}) {
        ASSERT_EQ(lines_touched(Bytes(object), Bytes(element), stride, Bytes(line)), marked(object, element, stride))
            << "element " << element << ", stride " << stride << ", object " << object;
      }
    }
  }
}

TEST(LinesTouched, ThePapersExample) {
  // Section 4: integers in lines of 64 bytes; 192 bytes cause 3 memory accesses, 128 bytes cause 2.
  EXPECT_EQ(lines_touched(Bytes(192), Bytes(4), 4, Bytes(line)), 3);
  EXPECT_EQ(lines_touched(Bytes(128), Bytes(4), 4, Bytes(line)), 2);
}

TEST(LinesTouched, ElementsThatOverlapLeaveNothingOut) {
  EXPECT_EQ(lines_touched(KiB(4), Bytes(200), 100, Bytes(line)), 64);
}

TEST(LinesTouched, AStrideLongerThanTheObjectTouchesItsFirstElement) {
  EXPECT_EQ(lines_touched(KiB(4), Bytes(8), 8192, Bytes(line)), 1);
  EXPECT_EQ(lines_touched(KiB(4), Bytes(100), 8192, Bytes(line)), 2);
}

TEST(LinesTouched, NothingAndVeryMuch) {
  EXPECT_EQ(lines_touched(Bytes(0), Bytes(8), 8, Bytes(line)), 0);
  EXPECT_EQ(lines_touched(KiB(4), Bytes(8), 8, Bytes(0)), 0);
  EXPECT_EQ(lines_touched(KiB(4), Bytes(0), 0, Bytes(line)), 64);
  const Bytes most(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(lines_touched(most, Bytes(8), 8, Bytes(line)), most.value / line + 1);
  EXPECT_EQ(lines_touched(most, Bytes(8), most.value, Bytes(line)), 1);
}

}  // namespace
}  // namespace lbhm
