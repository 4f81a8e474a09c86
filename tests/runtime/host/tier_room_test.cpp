// Is what is left of a tier true enough for whoever is about to take it?
#include <gtest/gtest.h>

#include <optional>
#include <thread>

#include "tests/runtime/host/fake_computer.h"
#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

using std::chrono::hours, std::chrono::milliseconds;

/// Node 2 is the fast tier, of whose memory so much is free.
class TierRoomTest : public testing::Test {
 protected:
  void start(int free_mib, milliseconds counts_for) {
    free(free_mib);
    TieredMemoryOptions options;
    options.root = tree_.root();
    options.room_counts_for = counts_for;
    computer_.emplace(MiB(512), std::vector<std::vector<int>>{{2}, {0, 1}}, std::move(options));
    computer_->memory->prefer_default(fast_first);
  }
  void free(int mib) {
    const std::string kib = std::to_string(mib << 10);
    tree_.write("sys/devices/system/node/node2/meminfo",
                "Node 2 MemTotal:  1048576 kB\nNode 2 MemFree:  " + kib + " kB\nNode 2 Active(file): 0 kB");
  }
  Bytes left() { return computer_->memory->room(fast); }
  std::uintptr_t object(Bytes bytes) { return computer_->object(bytes.value / page); }
  void release(std::uintptr_t object, Bytes bytes) {
    computer_->memory->release(reinterpret_cast<void*>(object), bytes);
  }

 private:
  MadeUpTree tree_;
  std::optional<Computer> computer_;
};

TEST_F(TierRoomTest, IsLessByWhatWasHandedOutSinceItWasRead) {
  start(64, hours(1));
  EXPECT_EQ(left(), MiB(64));
  const auto some = object(MiB(16));
  EXPECT_EQ(left(), MiB(48)) << "nobody has touched it yet, so it is free for the kernel";
  release(some, MiB(16));
  EXPECT_EQ(left(), MiB(64));
}

TEST_F(TierRoomTest, ANodeThatOthersFillIsNoticed) {
  start(64, milliseconds(10));
  EXPECT_EQ(left(), MiB(64));
  for (const int mib : {8, 0}) {
    free(mib);
    std::this_thread::sleep_for(milliseconds(10));
    EXPECT_EQ(left(), MiB(static_cast<std::uint64_t>(mib)));
  }
}

TEST_F(TierRoomTest, IsReadAgainWhenSomeOfOursWasGivenBack) {
  start(64, hours(1));
  const auto some = object(MiB(16));
  EXPECT_EQ(left(), MiB(64));
  free(70);
  release(some, MiB(16));
  EXPECT_EQ(left(), MiB(70)) << "at once: evictors make room and ask";
}

TEST_F(TierRoomTest, ManyQuestionsReadTheFilesOnce) {
  start(64, hours(1));
  EXPECT_EQ(left(), MiB(64));
  free(1);
  EXPECT_EQ(left(), MiB(64));
}

TEST_F(TierRoomTest, NeverIsBelowNothing) {
  start(4, hours(1));
  EXPECT_EQ(left(), MiB(4));
  object(MiB(16));  // promised: fast memory has a capacity of 512 MiB
  EXPECT_EQ(left(), Bytes(0));
}

}  // namespace
}  // namespace lbhm::host
