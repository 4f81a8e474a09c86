// What stands in the way of hint faults, on a made-up /proc: who blocks SIGSEGV for good?
#include "runtime/host/sampling/obstacles.h"

#include <gmock/gmock.h>

#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::sampling {
namespace {

using testing::HasSubstr;
using testing::Optional;

constexpr const char* all_signals = "fffffffe7ffbfeff";
constexpr const char* none = "0000000000000000";

class Obstacles : public testing::Test {
 protected:
  void add_thread(const std::string& number, const std::string& blocked) {
    tree.write("proc/self/task/" + number + "/status", "SigPnd:\t" + std::string(none) + "\nSigBlk:\t" + blocked);
  }
  host::MadeUpTree tree;
};

TEST_F(Obstacles, ThreadsThatBlockNothingAreNone) {
  add_thread("7", none);
  EXPECT_EQ(obstacle(tree.root()), std::nullopt);
}

TEST_F(Obstacles, AThreadThatBlocksAtEachLookIsOne) {
  add_thread("7", none);
  add_thread("8", all_signals);
  EXPECT_THAT(obstacle(tree.root()), Optional(HasSubstr("a thread of the program blocks SIGSEGV")));
}

TEST_F(Obstacles, WhoCannotBeAskedIsOne) {
  EXPECT_THAT(obstacle(tree.root() + "/nowhere"), Optional(HasSubstr("/proc/self/task cannot be read")));
}

}  // namespace
}  // namespace lbhm::sampling
