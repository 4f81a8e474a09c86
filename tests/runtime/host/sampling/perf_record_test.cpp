// Does a record of perf say the same to us as to the kernel that wrote it?
#include "runtime/host/sampling/perf_record.h"

#include <gtest/gtest.h>

#include "tests/runtime/host/sampling/made_up_ring.h"

namespace lbhm::sampling {
namespace {

using made_up::bytes_of;
using made_up::record;
using Kind = PerfRecord::Kind;

constexpr std::uint64_t memory_type =
    PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;

TEST(PerfRecord, AMemorySampleHasItsFields) {
  const auto bytes = record(PERF_RECORD_SAMPLE,
                            bytes_of(std::uint32_t{100}, std::uint32_t{101}, std::uint64_t{5000},
                                     std::uint64_t{0x7f0000001234}, std::uint64_t{310}, std::uint64_t{0x68100142}));
  const PerfRecord parsed = parse_record(bytes, memory_type);
  ASSERT_EQ(parsed.kind, Kind::sample);
  EXPECT_EQ(parsed.sample.thread, 101U);
  EXPECT_EQ(parsed.sample.time, 5000U);
  EXPECT_EQ(parsed.sample.address, 0x7f0000001234U);
  EXPECT_EQ(parsed.sample.weight, 310U);
  EXPECT_EQ(parsed.sample.data_source, 0x68100142U);
}

TEST(PerfRecord, FieldsThatNobodyNeedsArePassedOver) {
  const std::uint64_t type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_ADDR | PERF_SAMPLE_ID |
                             PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_WEIGHT;
  const auto bytes =
      record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{0xadd}, std::uint64_t{3},
                                          std::uint64_t{4}, std::uint64_t{5}, std::uint64_t{6}, std::uint64_t{77}));
  const PerfRecord parsed = parse_record(bytes, type);
  ASSERT_EQ(parsed.kind, Kind::sample);
  EXPECT_EQ(parsed.sample.address, 0xaddU);
  EXPECT_EQ(parsed.sample.weight, 77U);
}

TEST(PerfRecord, RawBytesAreThoseOfTheRecord) {
  const auto bytes =
      record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{0xadd}, std::uint32_t{4}, std::uint32_t{0xcafe}));
  const PerfRecord parsed = parse_record(bytes, PERF_SAMPLE_ADDR | PERF_SAMPLE_RAW);
  ASSERT_EQ(parsed.kind, Kind::sample);
  EXPECT_EQ(std::vector(parsed.sample.raw.begin(), parsed.sample.raw.end()), bytes_of(std::uint32_t{0xcafe}));
}

TEST(PerfRecord, ASampleThatIsTooShortIsMalformed) {
  const auto whole =
      record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{4}));
  for (std::size_t bytes = 0; bytes < whole.size(); ++bytes)
    EXPECT_EQ(parse_record(std::span(whole).first(bytes), memory_type).kind, Kind::malformed) << bytes;
}

TEST(PerfRecord, RawBytesThatClaimMoreThanThereIsAreMalformed) {
  const auto bytes = record(PERF_RECORD_SAMPLE, bytes_of(std::uint32_t{0xffffffff}, std::uint32_t{0}));
  EXPECT_EQ(parse_record(bytes, PERF_SAMPLE_RAW).kind, Kind::malformed);
}

TEST(PerfRecord, LostSamplesAreCountedInBothForms) {
  const auto lost = record(PERF_RECORD_LOST, bytes_of(std::uint64_t{9}, std::uint64_t{42}));
  EXPECT_EQ(parse_record(lost, memory_type).kind, Kind::lost);
  EXPECT_EQ(parse_record(lost, memory_type).lost, 42U);
  const auto lost_samples = record(PERF_RECORD_LOST_SAMPLES, bytes_of(std::uint64_t{7}));
  EXPECT_EQ(parse_record(lost_samples, memory_type).lost, 7U);
  EXPECT_EQ(parse_record(record(PERF_RECORD_LOST, bytes_of(std::uint64_t{9})), memory_type).kind, Kind::malformed);
}

TEST(PerfRecord, AGapInTheSecondBufferIsSeen) {
  const auto aux = [](std::uint64_t flags) {
    return record(PERF_RECORD_AUX, bytes_of(std::uint64_t{0}, std::uint64_t{64}, flags));
  };
  EXPECT_EQ(parse_record(aux(PERF_AUX_FLAG_TRUNCATED), memory_type).kind, Kind::aux_gap);
  EXPECT_EQ(parse_record(aux(0), memory_type).kind, Kind::other);
}

TEST(PerfRecord, TheKernelSaysWhenItStops) {
  const auto throttle = record(PERF_RECORD_THROTTLE, bytes_of(std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}));
  EXPECT_EQ(parse_record(throttle, memory_type).kind, Kind::throttled);
}

TEST(PerfRecord, TypesOfTomorrowArePassedOver) {
  EXPECT_EQ(parse_record(record(PERF_RECORD_UNTHROTTLE, {}), memory_type).kind, Kind::other);
  EXPECT_EQ(parse_record(record(4711, bytes_of(std::uint64_t{1})), memory_type).kind, Kind::other);
}

TEST(PerfRecord, FieldsThatWeDoNotUnderstandMakeASampleMalformed) {
  const auto bytes = record(PERF_RECORD_SAMPLE, bytes_of(std::uint64_t{1}, std::uint64_t{2}));
  EXPECT_FALSE(parses(PERF_SAMPLE_CALLCHAIN));
  EXPECT_EQ(parse_record(bytes, PERF_SAMPLE_IP | PERF_SAMPLE_CALLCHAIN).kind, Kind::malformed);
}

}  // namespace
}  // namespace lbhm::sampling
