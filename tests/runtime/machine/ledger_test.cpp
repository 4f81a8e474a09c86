// Do processes share what may be used, and is what dead ones had free again?
#include "runtime/machine/ledger.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "runtime/machine/ledger_table.h"
#include "tests/runtime/machine/made_up_tree.h"

namespace lbhm::host {
namespace {

constexpr TierId fast(0);

struct Shared {
  MadeUpTree folder;
  std::string why;
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
      std::string why;
      LedgerTable* const table = map_table(shared.folder.root() + "/ledger", why);
      if (with_lock) pthread_mutex_lock(&table->lock);
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

TEST(Ledger, AProcessForWhichThereIsNoPlaceIsGivenNothingAndSaysSo) {
  Shared shared;
  const auto first = shared.open();
  LedgerTable* const table = map_table(shared.folder.root() + "/ledger", shared.why);
  ASSERT_NE(table, nullptr) << shared.why;
  for (LedgerRecord& record : table->record) record = {getpid(), start_of(getpid()), {}};
  const auto second = shared.open();
  EXPECT_NE(shared.why.find("no place for one more process"), std::string::npos) << shared.why;
  EXPECT_EQ(second->take(fast, MiB(1), MiB(10)), Bytes(0));
  munmap(table, sizeof(LedgerTable));
}

TEST(Ledger, AFileThatIsNoLedgerIsLeftAlone) {
  Shared shared;
  for (const std::string& content : {std::string("short"), std::string(sizeof(LedgerTable), 'x')}) {
    std::ofstream(shared.folder.root() + "/ledger") << content;
    const auto ledger = shared.open();
    EXPECT_NE(shared.why.find("is not a ledger of this LB-HM and user; remove it"), std::string::npos) << shared.why;
    EXPECT_EQ(ledger->take(fast, MiB(6), MiB(4)), MiB(4));
  }
}

}  // namespace
}  // namespace lbhm::host
