// Is it seen that MemoryOptimizer's scans would serve a program better, without moving a page; and given up again?
#include "runtime/placement/gains/ghost_scans.h"

#include <gtest/gtest.h>

#include "tests/runtime/placement/fake_context.h"

namespace lbhm {
namespace {

using placement::GhostScans;

constexpr TierId fast{0}, slow{1};
constexpr std::uintptr_t base = 0x100000, page = 4096;
constexpr std::uint64_t pages = 1000, room = 250;

/// An object of 1,000 pages, the first 250 in fast memory, of which the program uses some.
class Ghost : public testing::Test {
 protected:
  Ghost() {
    machine_.put(base, room, fast);
    machine_.put(base + room * page, pages - room, slow);
    context_.add(base, pages);
    machine_.fake_observer();
  }

  /// The program accesses these pages, [first, first + count), and so many of its accesses are sampled at the wake-up.
  void quantum(std::uint64_t first, std::uint64_t count, std::uint64_t sampled) {
    std::vector<AccessSample> samples;
    for (std::uint64_t n = first; n < first + count; ++n) machine_.fake_observer().access(base + n * page);
    for (std::uint64_t n = 0; n < sampled; ++n) {
      const std::uintptr_t address = base + (first + next_++ % count) * page;
      AccessSample& sample = samples.emplace_back();
      sample.address = address + 64;
      sample.tier = machine_.tier_of(address);
    }
    machine_.fake_execution().set_clock(now_ += Nanoseconds(43'000));
    if (!ghost_.lead()) ghost_.look(context_, bits_);
    ghost_.wake_up(samples, Bytes(page));
  }
  void quanta(int times, std::uint64_t first, std::uint64_t count, std::uint64_t sampled = 10) {
    for (int i = 0; i < times; ++i) quantum(first, count, sampled);
  }
  /// Votes until the scans lead. Returns for how many quanta they did not.
  std::uint64_t votes() {
    std::uint64_t length = 0;
    for (; !ghost_.lead(); ++length) quantum(900, 50, 10);
    return length;
  }
  /// Votes until the scans lead. Returns for how many quanta they do.
  std::uint64_t turn() {
    votes();
    std::uint64_t length = 0;
    for (; ghost_.lead(); ++length) quantum(900, 50, 10);
    return length;
  }
  /// The scans lead though half of what the program uses is in fast memory, and then nothing of it is. Returns for how
  /// many quanta they do.
  std::uint64_t harmful_trial() {
    for (std::uint64_t n = 900; n < 950; n += 2) machine_.put(base + n * page, 1, fast);
    votes();
    machine_.put(base + 900 * page, 50, slow);
    std::uint64_t length = 0;
    for (; ghost_.lead(); ++length) quantum(900, 50, 10);
    return length;
  }

  fake::FakeMachine machine_{{room, 4000}};
  FakeContext context_{machine_};
  placement::AllBits bits_;
  GhostScans ghost_{1.0};
  Nanoseconds now_;
  std::uint64_t next_ = 0;
};

TEST_F(Ghost, LeadsWhereItsPagesWouldBeTheOnesInUse) { EXPECT_GT(turn(), 0u); }

TEST_F(Ghost, MovesNothing) {
  turn();
  for (std::uint64_t n = 0; n < pages; ++n) EXPECT_EQ(machine_.tier_of(base + n * page), n < room ? fast : slow) << n;
}

TEST_F(Ghost, HasNothingToSayWhereThePagesInUseAreFast) {
  quanta(3000, 100, 50);
  EXPECT_FALSE(ghost_.lead());
}

TEST_F(Ghost, AFewSamplesAreNoVote) {
  quanta(3000, 900, 50, 1);  // of which some 32 are remembered
  EXPECT_FALSE(ghost_.lead());
}

TEST_F(Ghost, AfterItsTurnThereIsANewVoteAndALongerTurn) {
  EXPECT_EQ(turn(), GhostScans::first_turn);
  quanta(3000, 100, 50);
  EXPECT_FALSE(ghost_.lead()) << "the pages in use are fast by now";
  EXPECT_EQ(turn(), 2 * GhostScans::first_turn);
}

TEST_F(Ghost, ATrialWithFewerAccessesInFastMemoryIsFollowedByARest) {
  EXPECT_EQ(harmful_trial(), GhostScans::trial);
  EXPECT_GT(votes(), GhostScans::first_rest);
}

TEST_F(Ghost, NobodyLooksOrVotesBeforeSamplesHadTheirTime) {
  quanta(GhostScans::patience - 1, 900, 50, 1000);
  EXPECT_FALSE(ghost_.lead());
  for (std::uint64_t n = 900; n < 950; ++n) {
    bool accessed = false;
    const std::uintptr_t address = base + n * page;
    machine_.fake_observer().scan_accessed({&address, 1}, {&accessed, 1}, false);
    EXPECT_TRUE(accessed) << "cleared by a look";
  }
}

TEST_F(Ghost, ATurnEndsWhereSomebodyElseHasAPlan) {
  while (!ghost_.lead()) quantum(900, 50, 10);
  ghost_.end_turn();
  EXPECT_FALSE(ghost_.lead());
  quanta(GhostScans::patience - 1, 900, 50, 1000);
  EXPECT_FALSE(ghost_.lead()) << "samples have their time again";
  EXPECT_EQ(turn(), 2 * GhostScans::first_turn);
}

}  // namespace
}  // namespace lbhm
