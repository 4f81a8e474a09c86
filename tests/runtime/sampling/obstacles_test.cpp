// What stands in the way of hint faults, on a made-up /proc: who blocks SIGSEGV for good?
#include "runtime/sampling/obstacles.h"

#include <gmock/gmock.h>

#include "tests/runtime/sampling/made_up_units.h"

namespace lbhm::sampling {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr const char* all_signals = "fffffffe7ffbfeff";
constexpr const char* none = "0000000000000000";

class Obstacles : public testing::Test {
 protected:
  void add_thread(const std::string& number, const std::string& blocked) {
    proc.write_file("proc/self/task/" + number + "/status", "SigPnd:\t" + std::string(none) + "\nSigBlk:\t" + blocked);
  }
  made_up::Units proc;
};

TEST_F(Obstacles, ThreadsThatBlockNothingAreNone) {
  add_thread("7", none);
  EXPECT_EQ(obstacle(proc.root()), std::nullopt);
}

TEST_F(Obstacles, AThreadThatBlocksAtEachLookIsOne) {
  add_thread("7", none);
  add_thread("8", all_signals);
  EXPECT_THAT(obstacle(proc.root()), Optional(HasSubstr("a thread of the program blocks SIGSEGV")));
}

TEST_F(Obstacles, WhoCannotBeAskedIsOne) {
  EXPECT_THAT(obstacle(proc.root() + "/nowhere"), Optional(HasSubstr("/proc/self/task cannot be read")));
}

}  // namespace
}  // namespace lbhm::sampling
