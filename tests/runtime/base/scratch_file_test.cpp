// Does what is put aside come back whole, and is a file of the program's never written to?
#include "runtime/base/scratch_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

namespace lbhm {
namespace {

TEST(ScratchFile, GivesBackWhatWasAppended) {
  ScratchFile file;
  EXPECT_EQ(*file.content(), "");
  EXPECT_TRUE(file.append("one "));
  EXPECT_TRUE(file.append("two"));
  EXPECT_EQ(*file.content(), "one two");
}

TEST(ScratchFile, AFileOfTheProgramUnderItsNumberStays) {
  ScratchFile file;
  ASSERT_TRUE(file.append("ours"));
  const int next = dup(0);
  close(next);
  const int number = next - 1;  // the scratch file was opened last
  char name[] = "/tmp/lbhm_scratch_test_XXXXXX";
  const int theirs = mkstemp(name);
  ASSERT_EQ(dup2(theirs, number), number);
  EXPECT_FALSE(file.append("more"));
  EXPECT_FALSE(file.content().has_value());
  EXPECT_EQ(lseek(theirs, 0, SEEK_END), 0);
  close(theirs);
  unlink(name);
}

TEST(ScratchFile, WithoutAFolderThereIsNone) {
  setenv("TMPDIR", "/nonexistent", 1);
  ScratchFile file;  // /tmp is tried next
  EXPECT_TRUE(file.append("x"));
  unsetenv("TMPDIR");
}

}  // namespace
}  // namespace lbhm
