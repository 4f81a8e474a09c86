// One record of a perf ring: its bytes, and what perf's data source word says: was it memory?
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace lbhm::sampling {

class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : rest_(bytes) {}

  /// 0, and short_of() from then on, if there are not enough bytes.
  template <class Number>
  Number take() {
    Number number{};
    if (const auto bytes = take_bytes(sizeof number); !bytes.empty()) std::memcpy(&number, bytes.data(), sizeof number);
    return number;
  }
  std::span<const std::byte> take_bytes(std::size_t count) {
    if (count > rest_.size()) {
      short_ = true;
      rest_ = {};
      return {};
    }
    const auto taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }
  bool empty() const { return rest_.empty(); }
  bool short_of() const { return short_; }

 private:
  std::span<const std::byte> rest_;
  bool short_ = false;
};

enum class DataSource : std::uint8_t { cache, memory, unknown };

DataSource served_by(std::uint64_t data_source);
bool is_store(std::uint64_t data_source);

/// Of PERF_RECORD_SAMPLE; fields that were not asked for are 0.
struct PerfSample {
  std::uint32_t thread = 0;  ///< of the kernel
  std::uint64_t time = 0;    ///< ns on the clock of the event
  std::uint64_t address = 0;
  std::uint64_t weight = 0;          ///< latency in cycles, as the processor has it
  std::uint64_t data_source = 0;     ///< union perf_mem_data_src
  std::span<const std::byte> raw{};  ///< PERF_SAMPLE_RAW, inside of the record
};

struct PerfRecord {
  enum class Kind : std::uint8_t {
    sample,
    lost,       ///< `lost` samples had no room
    throttled,  ///< the kernel takes no samples until its next tick: too many came
    aux_gap,    ///< the second buffer has a gap of unknown size
    other,      ///< nothing that we asked for
    malformed,  ///< a sample that is shorter than its fields
  };
  Kind kind = Kind::other;
  PerfSample sample{};
  std::uint64_t lost = 0;
};

/// The bits of sample_type that parse_record understands.
bool parses(std::uint64_t sample_type);

/// `record`: header included. `sample_type`: of the event; `malformed` if it has bits that are not understood.
PerfRecord parse_record(std::span<const std::byte> record, std::uint64_t sample_type);

}  // namespace lbhm::sampling
