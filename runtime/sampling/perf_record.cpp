#include "runtime/sampling/perf_record.h"

#include <linux/perf_event.h>

#include "runtime/sampling/byte_reader.h"

namespace lbhm::sampling {
namespace {

constexpr std::uint64_t understood = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME |
                                     PERF_SAMPLE_ADDR | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_CPU |
                                     PERF_SAMPLE_PERIOD | PERF_SAMPLE_RAW | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;

/// The fields stand in the order of the comment at PERF_RECORD_SAMPLE, not in that of their bits.
PerfRecord parse_sample(ByteReader in, std::uint64_t type) {
  PerfRecord record{.kind = PerfRecord::Kind::sample};
  PerfSample& sample = record.sample;
  const auto skip = [&](std::uint64_t field) {
    if (type & field) in.take<std::uint64_t>();
  };
  skip(PERF_SAMPLE_IDENTIFIER);
  skip(PERF_SAMPLE_IP);
  if (type & PERF_SAMPLE_TID) {
    in.take<std::uint32_t>();  // the process
    sample.thread = in.take<std::uint32_t>();
  }
  if (type & PERF_SAMPLE_TIME) sample.time = in.take<std::uint64_t>();
  if (type & PERF_SAMPLE_ADDR) sample.address = in.take<std::uint64_t>();
  skip(PERF_SAMPLE_ID);
  skip(PERF_SAMPLE_STREAM_ID);
  skip(PERF_SAMPLE_CPU);
  skip(PERF_SAMPLE_PERIOD);
  if (type & PERF_SAMPLE_RAW) sample.raw = in.take_bytes(in.take<std::uint32_t>());
  if (type & PERF_SAMPLE_WEIGHT) sample.weight = in.take<std::uint64_t>();
  if (type & PERF_SAMPLE_DATA_SRC) sample.data_source = in.take<std::uint64_t>();
  if (in.short_of()) return {.kind = PerfRecord::Kind::malformed};
  return record;
}

PerfRecord parse_lost(ByteReader in, bool with_id) {
  if (with_id) in.take<std::uint64_t>();
  const auto lost = in.take<std::uint64_t>();
  if (in.short_of()) return {.kind = PerfRecord::Kind::malformed};
  return {.kind = PerfRecord::Kind::lost, .lost = lost};
}

PerfRecord parse_aux(ByteReader in) {
  in.take<std::uint64_t>();  // offset
  in.take<std::uint64_t>();  // size
  const auto flags = in.take<std::uint64_t>();
  if (in.short_of()) return {.kind = PerfRecord::Kind::malformed};
  const bool gap = flags & (PERF_AUX_FLAG_TRUNCATED | PERF_AUX_FLAG_PARTIAL | PERF_AUX_FLAG_COLLISION);
  return {.kind = gap ? PerfRecord::Kind::aux_gap : PerfRecord::Kind::other};
}

}  // namespace

bool parses(std::uint64_t sample_type) { return (sample_type & ~understood) == 0; }

PerfRecord parse_record(std::span<const std::byte> record, std::uint64_t sample_type) {
  ByteReader in(record);
  const auto header = in.take<perf_event_header>();
  if (in.short_of()) return {.kind = PerfRecord::Kind::malformed};
  switch (header.type) {
    case PERF_RECORD_SAMPLE:
      return parses(sample_type) ? parse_sample(in, sample_type) : PerfRecord{.kind = PerfRecord::Kind::malformed};
    case PERF_RECORD_LOST:
      return parse_lost(in, true);
    case PERF_RECORD_LOST_SAMPLES:
      return parse_lost(in, false);
    case PERF_RECORD_THROTTLE:
      return {.kind = PerfRecord::Kind::throttled};
    case PERF_RECORD_AUX:
      return parse_aux(in);
    default:
      return {};
  }
}

}  // namespace lbhm::sampling
