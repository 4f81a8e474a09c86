#include "runtime/host/sampling/perf_record.h"

#include <linux/perf_event.h>

namespace lbhm::sampling {
namespace {

// Levels of kernels newer than the headers (include/uapi/linux/perf_event.h of Linux 6.17).
constexpr unsigned level_uncached = 0x08;
constexpr unsigned level_memory_side_cache = 0x06;

/// The newer of the two descriptions: one number for the level.
DataSource by_number(unsigned level) {
  switch (level) {
    case PERF_MEM_LVLNUM_RAM:
    case PERF_MEM_LVLNUM_PMEM:
    case PERF_MEM_LVLNUM_CXL:
    case level_memory_side_cache:  // in front of one memory, so it counts as that memory
      return DataSource::memory;
    case PERF_MEM_LVLNUM_L1:
    case PERF_MEM_LVLNUM_L2:
    case PERF_MEM_LVLNUM_L3:
    case PERF_MEM_LVLNUM_L4:
    case PERF_MEM_LVLNUM_ANY_CACHE:
    case PERF_MEM_LVLNUM_LFB:
    case PERF_MEM_LVLNUM_IO:
    case level_uncached:
      return DataSource::cache;
    default:
      return DataSource::unknown;
  }
}

/// The older one: a set of bits, and whether it was a hit there.
DataSource by_bits(unsigned level) {
  constexpr unsigned memory = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2;
  if (level & PERF_MEM_LVL_NA) return DataSource::unknown;
  if (level & memory) return DataSource::memory;
  if (level & PERF_MEM_LVL_HIT) return DataSource::cache;
  if ((level & PERF_MEM_LVL_MISS) && (level & PERF_MEM_LVL_L3)) return DataSource::memory;
  return DataSource::unknown;
}

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

DataSource served_by(std::uint64_t data_source) {
  const perf_mem_data_src source{.val = data_source};
  // A miss says more than the number of the level that was missed.
  const bool missed = (source.mem_lvl & PERF_MEM_LVL_MISS) != 0;
  const DataSource newer = missed ? DataSource::unknown : by_number(source.mem_lvl_num);
  return newer != DataSource::unknown ? newer : by_bits(source.mem_lvl);
}

bool is_store(std::uint64_t data_source) {
  return (perf_mem_data_src{.val = data_source}.mem_op & PERF_MEM_OP_STORE) != 0;
}

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
