// Do processes share what may be used, and is what dead ones had free again?
#include "runtime/host/ledger.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

#include "runtime/host/ledger_file.h"
#include "tests/runtime/host/made_up_tree.h"

namespace lbhm::host {
namespace {

constexpr TierId fast(0);

struct Shared {
  MadeUpTree folder;
  std::string why;
  std::string file() const { return folder.root() + "/ledger"; }
  std::unique_ptr<Ledger> open() { return Ledger::open(folder.root(), "ledger", why); }
};

/// A process that says over a pipe what it got, and then waits to be ended.
class OtherProcess {
 public:
  OtherProcess(Shared& shared, Bytes wanted, Bytes capacity, bool with_lock = false) {
    int ends[2];
    if (pipe(ends) != 0) return;
    process_ = fork();
    if (process_ == 0) {
      const auto ledger = shared.open();
      const std::uint64_t got = ledger->take(fast, wanted, capacity).value;
      LedgerFile locked;
      const std::string file = shared.file();
      if (with_lock) locked.open(file, std::chrono::seconds(1));
      if (write(ends[1], &got, sizeof got) != sizeof got) _exit(1);
      for (;;) pause();
    }
    if (read(ends[0], &got_.value, sizeof got_.value) != sizeof got_.value) got_ = Bytes(~0ull);
    close(ends[0]);
    close(ends[1]);
  }
  ~OtherProcess() { kill_it(); }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

  Bytes got() const { return got_; }
  void kill_it() {
    if (process_ <= 0) return;
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
    process_ = -1;
  }

 private:
  pid_t process_ = -1;
  Bytes got_;
};

TEST(Ledger, GivesUntilTheCapacityIsReached) {
  Shared shared;
  const auto ledger = shared.open();
  EXPECT_EQ(shared.why, "");
  EXPECT_EQ(ledger->take(fast, MiB(6), MiB(10)), MiB(6));
  EXPECT_EQ(ledger->take(fast, MiB(6), MiB(10)), MiB(4));
  EXPECT_EQ(ledger->take(fast, MiB(6), MiB(10)), Bytes(0));
  EXPECT_EQ(ledger->take(TierId(1), MiB(6), MiB(10)), MiB(6)) << "each tier is on its own";
  Ledger::Amounts own{};
  own[0] = MiB(2);
  ledger->settle(own);
  EXPECT_EQ(ledger->taken(fast), MiB(2));
  EXPECT_EQ(ledger->taken(TierId(1)), Bytes(0));
}

TEST(Ledger, ProcessesShareOneBudget) {
  Shared shared;
  const auto ledger = shared.open();
  ASSERT_EQ(ledger->take(fast, MiB(6), MiB(10)), MiB(6));
  const OtherProcess other(shared, MiB(6), MiB(10));
  EXPECT_EQ(other.got(), MiB(4));
  EXPECT_EQ(ledger->taken(fast), MiB(10));
}

TEST(Ledger, WhatADeadProcessHadIsFreeAgain) {
  Shared shared;
  const auto ledger = shared.open();
  OtherProcess other(shared, MiB(8), MiB(10));
  ASSERT_EQ(other.got(), MiB(8));
  EXPECT_EQ(ledger->take(fast, MiB(5), MiB(10)), MiB(2));
  other.kill_it();
  std::this_thread::sleep_for(std::chrono::milliseconds(120));  // the dead are looked for ten times a second
  EXPECT_EQ(ledger->take(fast, MiB(8), MiB(10)), MiB(8));
}

TEST(Ledger, ALockWhoseHolderDiedIsNoLock) {
  Shared shared;
  const auto ledger = shared.open();
  OtherProcess other(shared, MiB(1), MiB(10), true);
  ASSERT_EQ(other.got(), MiB(1));
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(ledger->take(fast, MiB(1), MiB(10)), Bytes(0)) << "the other one holds the lock";
  for (int i = 0; i < 1000; ++i) ledger->settle({MiB(1)});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(50)) << "waiting has an end, also for many";
  EXPECT_EQ(ledger->misses(), 1001U);
  other.kill_it();
  EXPECT_EQ(ledger->take(fast, MiB(3), MiB(10)), MiB(3));
}

TEST(Ledger, AChildOfAForkHasNoPartInIt) {
  Shared shared;
  const auto ledger = shared.open();
  ASSERT_EQ(ledger->take(fast, MiB(1), MiB(10)), MiB(1));
  const pid_t child = fork();
  if (child == 0) _exit(ledger->take(fast, MiB(1), MiB(10)).value == 0 ? 0 : 1);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(ledger->taken(fast), MiB(1));
}

TEST(Ledger, WithoutSharedMemoryAProcessHasItsOwnAndSaysSo) {
  std::string why;
  const auto ledger = Ledger::open("/nowhere", "ledger", why);
  EXPECT_NE(why.find("/nowhere/ledger could not be opened"), std::string::npos) << why;
  EXPECT_EQ(ledger->take(fast, MiB(6), MiB(4)), MiB(4));
}

/// Everything that is in the file, changed by somebody.
template <class Change>
void change_table(const std::string& file, const Change& change) {
  LedgerFile held;
  LedgerTable table{};
  ASSERT_TRUE(held.open(file, std::chrono::seconds(1)) == LedgerFile::State::held && held.read(table)) << held.why();
  change(table);
  ASSERT_TRUE(held.write(table)) << held.why();
}

TEST(Ledger, AProcessForWhichThereIsNoPlaceIsGivenNothingAndSaysSo) {
  Shared shared;
  const auto first = shared.open();
  change_table(shared.file(), [](LedgerTable& table) {
    table.used = LedgerTable::records;
    for (LedgerRecord& record : table.record) record = {getpid(), start_of(getpid()), {}};
  });
  const auto second = shared.open();
  EXPECT_NE(shared.why.find("no place for one more process"), std::string::npos) << shared.why;
  EXPECT_EQ(second->take(fast, MiB(1), MiB(10)), Bytes(0));
}

TEST(Ledger, AThousandProcessesHaveAPlace) {
  Shared shared;
  const auto first = shared.open();
  change_table(shared.file(), [](LedgerTable& table) {
    table.used = LedgerTable::records - 1;
    for (std::size_t i = 1; i < table.used; ++i) table.record[i] = {getpid(), start_of(getpid()), {4096}};
  });
  const auto last = shared.open();
  EXPECT_EQ(shared.why, "");
  EXPECT_EQ(last->take(fast, MiB(6), MiB(10)), MiB(6));
  EXPECT_EQ(first->taken(fast), MiB(6) + Bytes(4096ull * (LedgerTable::records - 2)));
}

TEST(Ledger, RecordsThatNobodyUsesAnyMoreAreNotReadAgain) {
  Shared shared;
  const auto first = shared.open();
  {
    std::vector<std::unique_ptr<OtherProcess>> others;
    for (int i = 0; i < 20; ++i) others.push_back(std::make_unique<OtherProcess>(shared, KiB(4), MiB(10)));
    EXPECT_EQ(first->taken(fast), KiB(80));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(120));  // the dead are looked for ten times a second
  EXPECT_EQ(first->take(fast, MiB(12), MiB(10)), MiB(10));
  change_table(shared.file(), [](const LedgerTable& table) { EXPECT_EQ(table.used, 1U); });
}

TEST(Ledger, AFileThatIsNoLedgerIsLeftAlone) {
  Shared shared;
  for (const std::string& content : {std::string("short"), std::string(sizeof(LedgerTable), 'x')}) {
    std::ofstream(shared.file()) << content;
    const auto ledger = shared.open();
    EXPECT_NE(shared.why.find("is not a ledger of this LB-HM and user; remove it"), std::string::npos) << shared.why;
    EXPECT_EQ(ledger->take(fast, MiB(6), MiB(4)), MiB(4));
    std::ifstream file(shared.file());
    EXPECT_EQ(std::string(std::istreambuf_iterator(file), {}), content);
  }
}

TEST(Ledger, ThingsThatAreNoFilesAreNoLedgers) {
  for (const auto make : {+[](const char* name) { return mkdir(name, 0700); },  //
                          +[](const char* name) { return mkfifo(name, 0600); },
                          +[](const char* name) { return symlink("/tmp/nothing-of-lbhm", name); },
                          +[](const char* name) { return symlink("/dev/zero", name); }}) {
    Shared shared;
    ASSERT_EQ(make(shared.file().c_str()), 0);
    const auto ledger = shared.open();
    EXPECT_NE(shared.why.find(shared.file()), std::string::npos) << shared.why;
    EXPECT_EQ(ledger->take(fast, MiB(6), MiB(4)), MiB(4));
  }
}

TEST(Ledger, AFileOfAnotherUserIsNoLedger) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  Shared shared;
  const auto ledger = shared.open();
  ASSERT_EQ(chown(shared.file().c_str(), 12345, 12345), 0);
  EXPECT_EQ(ledger->take(fast, MiB(6), MiB(4)), MiB(4));
  EXPECT_NE(ledger->remark().find("is not a ledger of this LB-HM and user"), std::string::npos) << ledger->remark();
}

/// What somebody does to the file while two processes have 6 and 3 MiB of 10.
class Attacked : public testing::Test {
 protected:
  void SetUp() override {
    ledger_ = shared_.open();
    ASSERT_EQ(ledger_->take(fast, MiB(6), MiB(10)), MiB(6));
    other_ = std::make_unique<OtherProcess>(shared_, MiB(3), MiB(10));
    ASSERT_EQ(other_->got(), MiB(3));
  }

  /// This process goes on with what it has, alone or with those who come later.
  void goes_on() {
    EXPECT_EQ(ledger_->take(fast, MiB(1), MiB(10)), MiB(1));
    EXPECT_GE(ledger_->taken(fast), MiB(7));
    ledger_->settle({MiB(2)});
    EXPECT_GE(ledger_->taken(fast), MiB(2));
    EXPECT_NE(ledger_->remark().find(shared_.file()), std::string::npos) << ledger_->remark();
  }
  /// And those who come later know of it.
  void shares() {
    const OtherProcess later(shared_, MiB(10), MiB(10));
    EXPECT_EQ(later.got(), MiB(8));
  }

  Shared shared_;
  std::unique_ptr<Ledger> ledger_;
  std::unique_ptr<OtherProcess> other_;
};

TEST_F(Attacked, TruncatedToNothing) {
  ASSERT_EQ(truncate(shared_.file().c_str(), 0), 0);
  goes_on();
  shares();
}

TEST_F(Attacked, TruncatedInTheMiddleOfARecord) {
  ASSERT_EQ(truncate(shared_.file().c_str(), 24), 0);
  goes_on();
}

TEST_F(Attacked, TruncatedAgainAndAgain) {
  std::jthread somebody([this](const std::stop_token& stop) {
    while (!stop.stop_requested()) (void)!truncate(shared_.file().c_str(), 40 - 8 * (rand() % 6));
  });
  for (int i = 0; i < 20'000; ++i) ledger_->settle({Bytes(static_cast<std::uint64_t>(i))});
  EXPECT_LE(ledger_->take(fast, MiB(1), MiB(10)), MiB(1));
}

TEST_F(Attacked, Removed) {
  ASSERT_EQ(unlink(shared_.file().c_str()), 0);
  goes_on();
  shares();
}

TEST_F(Attacked, ADirectoryInItsPlace) {
  ASSERT_EQ(unlink(shared_.file().c_str()), 0);
  ASSERT_EQ(mkdir(shared_.file().c_str(), 0700), 0);
  goes_on();
}

TEST_F(Attacked, AFifoInItsPlace) {
  ASSERT_EQ(unlink(shared_.file().c_str()), 0);
  ASSERT_EQ(mkfifo(shared_.file().c_str(), 0600), 0);
  goes_on();
}

TEST_F(Attacked, FilledWithNonsense) {
  std::ofstream(shared_.file()) << std::string(sizeof(LedgerTable), '\xa5');
  goes_on();
}

TEST_F(Attacked, RecordsOfNonsense) {
  change_table(shared_.file(), [](LedgerTable& table) {
    table.used = LedgerTable::records;
    for (LedgerRecord& record : table.record) record = {-5, 0, {~0ull, ~0ull}};
  });
  goes_on();
  shares();
}

TEST_F(Attacked, NowhereToWriteAnyMore) {
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const rlimit none{0, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &none);
  goes_on();
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_NE(ledger_->remark().find("ulimit -f"), std::string::npos) << ledger_->remark();
}

}  // namespace
}  // namespace lbhm::host
