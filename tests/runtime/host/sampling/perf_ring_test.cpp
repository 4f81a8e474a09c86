// Does every record that the kernel wrote come out once and whole, and nothing that it did not write?
#include <gmock/gmock.h>

#include "tests/runtime/host/sampling/made_up_ring.h"

namespace lbhm::sampling {
namespace {

using made_up::bytes_of;
using made_up::record;
using made_up::Ring;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(PerfRing, RecordsComeInTheirOrderAndOnce) {
  Ring ring(256);
  const auto first = record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1}));
  const auto second = record(PERF_RECORD_LOST, bytes_of(std::uint64_t{2}, std::uint64_t{3}));
  ring.write(first);
  ring.write(second);
  EXPECT_THAT(ring.read(), ElementsAre(first, second));
  EXPECT_THAT(ring.read(), IsEmpty());
}

TEST(PerfRing, ARecordThatGoesRoundTheEndIsWhole) {
  for (std::uint64_t start = 40; start < 64; start += 8) {
    Ring ring(64, start);
    const auto wrapped = record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{0x1122334455667788}, std::uint64_t{9}));
    ring.write(wrapped);
    EXPECT_THAT(ring.read(), ElementsAre(wrapped)) << start;
  }
}

TEST(PerfRing, PositionsMayBeMuchLargerThanTheRing) {
  Ring ring(128, std::uint64_t{5} << 40);
  const auto one = record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{7}));
  ring.write(one);
  EXPECT_THAT(ring.read(), ElementsAre(one));
}

TEST(PerfRing, WhatWasReadMayBeOverwritten) {
  Ring ring(64);
  ring.write(record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1})));
  EXPECT_GT(ring.reader().fill(), 0);
  ring.read();
  EXPECT_EQ(ring.control().data_tail, ring.control().data_head);
  EXPECT_EQ(ring.reader().fill(), 0);
}

TEST(PerfRing, ARecordOfNoSizeDoesNotHangTheReader) {
  Ring ring(64);
  ring.write(record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1}), 4));
  bool sound = true;
  EXPECT_THAT(ring.read(&sound), IsEmpty());
  EXPECT_FALSE(sound);
  const auto next = record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{2}));
  ring.write(next);
  EXPECT_THAT(ring.read(&sound), ElementsAre(next));  // it recovers
  EXPECT_TRUE(sound);
}

TEST(PerfRing, ARecordThatClaimsMoreThanWasWrittenIsThrownAway) {
  Ring ring(64);
  ring.write(record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1}), 48));
  bool sound = true;
  EXPECT_THAT(ring.read(&sound), IsEmpty());
  EXPECT_FALSE(sound);
}

TEST(PerfRing, HalfAHeaderIsThrownAway) {
  Ring ring(64);
  ring.write(bytes_of(std::uint32_t{PERF_RECORD_SAMPLE}));
  bool sound = true;
  EXPECT_THAT(ring.read(&sound), IsEmpty());
  EXPECT_FALSE(sound);
}

TEST(PerfRing, AHeadBeyondTheRingIsThrownAway) {
  Ring ring(64);
  ring.control().data_head = 4096;
  bool sound = true;
  EXPECT_THAT(ring.read(&sound), IsEmpty());
  EXPECT_FALSE(sound);
  EXPECT_EQ(ring.control().data_tail, 4096U);
}

TEST(AuxBuffer, UnreadBytesComeInOnePieceAlsoAroundTheEnd) {
  perf_event_mmap_page control{};
  std::vector<std::byte> aux(16);
  for (std::size_t i = 0; i < aux.size(); ++i) aux[i] = static_cast<std::byte>(i);
  control.aux_tail = 14;
  control.aux_head = 18;
  std::vector<std::byte> out{std::byte{0xff}};
  EXPECT_TRUE(read_aux(&control, aux, out));
  EXPECT_THAT(out, ElementsAre(std::byte{0xff}, std::byte{14}, std::byte{15}, std::byte{0}, std::byte{1}));
  EXPECT_EQ(control.aux_tail, 18U);
  control.aux_head = 1000;
  EXPECT_FALSE(read_aux(&control, aux, out));
  EXPECT_EQ(out.size(), 5U);
}

}  // namespace
}  // namespace lbhm::sampling
