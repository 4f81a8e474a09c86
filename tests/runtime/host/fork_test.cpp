// Does a child of a fork leave alone what is its parent's?
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

#include "runtime/host/hardware_counters.h"
#include "runtime/host/linux_machine.h"

namespace lbhm {
namespace host {
struct CounterSet {};
}  // namespace host

namespace {

int ends = 0;  // threads of which the double was told that they end

class Sampler final : public ThreadSampler {
 public:
  AccessCount period() const override { return AccessCount(1); }
  std::uint64_t drain(std::vector<AccessSample>& /*out*/) override { return 0; }
  void lane_begins(LaneId /*lane*/) override {}
  void thread_ends() override { ++ends; }
  std::vector<std::string> remarks() override { return {}; }
};

const host::CounterModule counting{
    .begin = []() -> const char* { return nullptr; },
    .can_count = [](const char*) { return 1; },
    .start = [](const char* const*, int, unsigned char*, int*) { return new host::CounterSet; },
    .read = [](host::CounterSet*, long long*) { return 1; },
    .stop =
        [](host::CounterSet* set) {
          ++ends;
          delete set;
        }};

/// A child that ends as programs do, with all destructors. Its status: how often the double was told of an end.
int ends_in_child() {
  ends = 0;
  const pid_t child = fork();
  if (child == 0) {
    std::atexit([] { _exit(ends); });  // after the destructors of thread-locals
    std::exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Fork, TheChildSaysNothingToTheSamplerOfItsParent) {
  host::LinuxParts parts;
  parts.sources.sampler = std::make_unique<Sampler>();
  const auto machine = host::make_linux_machine(std::move(parts));
  int in_child = -1;
  std::thread([&] {
    machine->execution().lane_begin(0, LaneId(1), 2);
    in_child = ends_in_child();
  }).join();
  EXPECT_EQ(in_child, 0);
  EXPECT_EQ(ends, 1) << "of the parent's own thread";
}

TEST(Fork, TheChildStopsNoCountersOfItsParent) {
  host::Counters counters(&counting);
  int in_child = -1;
  std::thread([&] {
    counters.thread_begins();
    in_child = ends_in_child();
  }).join();
  EXPECT_EQ(in_child, 0);
  EXPECT_EQ(ends, 1) << "of the parent's own thread";
}

}  // namespace
}  // namespace lbhm
