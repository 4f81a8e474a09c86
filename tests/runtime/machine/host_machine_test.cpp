// Is the host a machine of one tier whose clock runs forwards at the right speed?
#include "lbhm/machine.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <thread>

namespace lbhm {
namespace {

TEST(HostMachine, HasOneTierAndMovesNothing) {
  const auto machine = make_host_machine();
  ASSERT_EQ(machine->topology().tiers.size(), 1u);
  EXPECT_EQ(machine->samples(), nullptr);
  const std::uintptr_t pages[] = {0x1000, 0x2000};
  PageStatus status[2];
  machine->move(pages, TierId(0), status);
  EXPECT_EQ(status[0], PageStatus::already);
  EXPECT_EQ(status[1], PageStatus::already);
}

TEST(HostMachine, ReservesZeroedMemory) {
  const auto machine = make_host_machine();
  const auto memory = machine->reserve(KiB(64), Bytes(4096));
  ASSERT_TRUE(memory);
  auto* bytes = static_cast<unsigned char*>(*memory);
  EXPECT_EQ(bytes[0], 0);
  std::memset(bytes, 7, 64 << 10);
  machine->release(*memory, KiB(64));
}

TEST(HostMachine, ClockAgreesWithTheSystem) {
  const auto machine = make_host_machine();
  const auto real_begin = std::chrono::steady_clock::now();
  const Nanoseconds begin = machine->execution().now();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  const Nanoseconds took = machine->execution().now() - begin;
  const std::chrono::duration<double, std::nano> real = std::chrono::steady_clock::now() - real_begin;
  EXPECT_GE(took.value, 49e6);
  EXPECT_LE(took.value, real.count() * 1.02);
}

}  // namespace
}  // namespace lbhm
