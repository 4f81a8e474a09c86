// Does a record of SPE, as the architecture manual describes its packets, say what the processor meant?
#include "runtime/host/sampling/spe_packets.h"

#include <gmock/gmock.h>

#include "runtime/host/sampling/sampler_plan.h"

namespace lbhm::sampling {
namespace {

using Bytes = std::vector<std::byte>;

Bytes packet(std::initializer_list<unsigned> header, std::uint64_t payload, std::size_t bytes) {
  Bytes out;
  for (const unsigned byte : header) out.push_back(static_cast<std::byte>(byte));
  for (std::size_t i = 0; i < bytes; ++i) out.push_back(static_cast<std::byte>(payload >> (8 * i)));
  return out;
}

Bytes join(std::initializer_list<Bytes> packets) {
  Bytes out;
  for (const Bytes& bytes : packets) out.insert(out.end(), bytes.begin(), bytes.end());
  return out;
}

const Bytes load = packet({0x49}, 0, 1);
const Bytes store = packet({0x49}, 1, 1);
const Bytes branch = packet({0x4a}, 0, 1);
const Bytes missed = packet({0x52}, 1 << 9 | 1 << 1, 2);  // events, two bytes
const Bytes hit = packet({0x52}, 1 << 1, 2);
const Bytes latency = packet({0x98}, 300, 2);
const Bytes end = packet({0x01}, 0, 0);
Bytes address(std::uint64_t a) { return packet({0xb2}, a, 8); }
Bytes time(std::uint64_t t) { return packet({0x71}, t, 8); }

std::vector<SpeRecord> parse(const Bytes& bytes, std::uint64_t* given_up = nullptr) {
  std::vector<SpeRecord> records;
  const auto lost = parse_spe(bytes, [&](const SpeRecord& record) { records.push_back(record); });
  if (given_up) *given_up = lost;
  return records;
}

TEST(SpePackets, ALoadFromMemoryHasAddressLatencyAndTime) {
  const auto records =
      parse(join({packet({0xb0}, 0x401000, 8), load, missed, latency, packet({0x9a}, 17, 2),  // another counter
                  packet({0x43}, 0xe, 1), address(0x5a00ffff12345678), time(99)}));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].address, 0x00ffff12345678U);  // without its tag
  EXPECT_EQ(records[0].latency, 300U);
  EXPECT_EQ(records[0].time, 99U);
  EXPECT_TRUE(records[0].memory_operation);
  EXPECT_FALSE(records[0].store);
  EXPECT_TRUE(records[0].events & spe_last_level_miss);
  EXPECT_EQ(records[0].source, spe_neoverse_dram);
}

TEST(SpePackets, RecordsDoNotInheritFromTheOnesBefore) {
  const auto records = parse(join({load, missed, address(0x1000), time(1), branch, end}));
  ASSERT_EQ(records.size(), 2U);
  EXPECT_FALSE(records[1].memory_operation);
  EXPECT_EQ(records[1].address, 0U);
  EXPECT_EQ(records[1].events, 0U);
}

TEST(SpePackets, ExtendedHeadersPaddingAndAlignmentArePassedOver) {
  const Bytes far_counter = packet({0x21, 0x98}, 5, 2);  // counter 8, not the latency
  const auto records = parse(join({Bytes(3), far_counter, load, address(0x1000), time(1), packet({0x20, 0x00}, 0, 0)}));
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].latency, 0U);
  EXPECT_EQ(records[0].address, 0x1000U);
}

TEST(SpePackets, ARecordWithAnUnknownPacketIsGivenUpAndTheNextIsRead) {
  std::uint64_t given_up = 0;
  const auto records = parse(join({load, packet({0xff}, 0, 0), time(1), load, address(0x2000), time(2)}), &given_up);
  ASSERT_EQ(records.size(), 1U);
  EXPECT_EQ(records[0].address, 0x2000U);
  EXPECT_EQ(given_up, 1U);
}

TEST(SpePackets, ACutRecordAtTheEndIsCounted) {
  const Bytes whole = join({load, address(0x1000), time(1)});
  for (std::size_t bytes = 1; bytes < whole.size(); ++bytes) {
    std::uint64_t given_up = 0;
    EXPECT_TRUE(parse(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(bytes)), &given_up).empty());
    EXPECT_EQ(given_up, 1U) << bytes;
  }
  std::uint64_t given_up = 7;
  EXPECT_TRUE(parse({}, &given_up).empty());
  EXPECT_EQ(given_up, 0U);
}

TEST(Spe, OnlyAccessesToMemoryBecomeSamples) {
  std::vector<RawSample> samples;
  const Bytes bytes = join({load,
                            missed,
                            latency,
                            address(0x1000),
                            time(1),  // yes
                            store,
                            missed,
                            address(0x2000),
                            time(2),  // yes
                            load,
                            hit,
                            packet({0x43}, 0xe, 1),
                            address(0x3000),
                            time(3),  // yes: Neoverse says DRAM
                            load,
                            hit,
                            address(0x4000),
                            time(4),  // a cache
                            branch,
                            missed,
                            address(0x5000),
                            time(5),  // no access
                            load,
                            missed,
                            time(6)});  // no address
  EXPECT_EQ(read_spe(bytes, samples), 0U);
  ASSERT_EQ(samples.size(), 3U);
  EXPECT_EQ(samples[0].cycles, 300U);
  EXPECT_TRUE(samples[1].write);
  EXPECT_EQ(samples[2].address, 0x3000U);
}

}  // namespace
}  // namespace lbhm::sampling
