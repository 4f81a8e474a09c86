// What was seen of every parallel construct.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/base/units.h"

namespace lbhm::engine {

/// ln(predicted / measured) of a task, in three parts that add up to it; NaN where they are not known (prediction.h).
struct PredictionError {
  double counts = std::numeric_limits<double>::quiet_NaN();
  double homogeneous = std::numeric_limits<double>::quiet_NaN();
  double correlation = std::numeric_limits<double>::quiet_NaN();

  double total() const { return counts + homogeneous + correlation; }
  bool known() const { return std::isfinite(total()); }
};

struct TaskRecord {
  LaneId lane;
  Nanoseconds time;  ///< at work; waiting at barriers excluded
  Nanoseconds predicted{std::numeric_limits<double>::quiet_NaN()};
  AccessCount accesses;
  AccessCount fast_accesses;
  std::vector<AccessCount> middle_accesses{};  ///< in the tiers between the fastest and the slowest
  PredictionError error{};
  Bytes fast_bytes;                                               ///< of its budget
  double prefetches = -1;                                         ///< negative: not counted
  double useless_prefetches = -1;                                 ///< lines that nobody wanted
  std::vector<std::pair<std::uint32_t, std::uint64_t>> blocks{};  ///< counter, executions; only with LBHM_BLOCKS=on
};

struct RegionRecord {
  std::uint32_t region = 0;    ///< index into names
  std::uint32_t instance = 0;  ///< 0 is the base instance
  Nanoseconds time;
  std::vector<TaskRecord> tasks;
  double running_error = std::numeric_limits<double>::quiet_NaN();  ///< of the region's predictions so far
};

/// Regions by code address, their instances in the order in which they ended.
class RegionLog {
 public:
  /// Programs may have millions of instances; the report shows the first ones.
  static constexpr std::size_t kept_instances = 2'000;

  /// The number of the region at `code`. The same region again costs a comparison, another one a hash look-up.
  std::uint32_t region(const void* code) { return code == last_code_ ? last_region_ : look_up(code); }
  /// Numbers the next instance of `region`.
  std::uint32_t next_instance(std::uint32_t region) { return instances_[region]++; }
  void add(const RegionRecord& record);

  const std::string& name(std::uint32_t region) const { return names_[region]; }
  const std::vector<RegionRecord>& records() const { return records_; }
  /// A record that was kept: `number` counts the calls of add. Null if it was left out.
  RegionRecord* kept(std::uint64_t number) { return number < records_.size() ? &records_[number] : nullptr; }
  /// How many were added.
  std::uint64_t added() const { return records_.size() + left_out_; }
  std::uint64_t left_out() const { return left_out_; }

  /// Mean over instances of standard deviation / mean of their task times (A.C.V., section 7.2). 0 if there are none.
  double average_coefficient_of_variation() const {
    return acv_instances_ ? acv_sum_ / static_cast<double>(acv_instances_) : 0;
  }
  AccessCount accesses() const { return accesses_; }
  AccessCount fast_accesses() const { return fast_accesses_; }

 private:
  std::uint32_t look_up(const void* code);
  void add_region(const void* code);

  const void* last_code_ = this;  // no code address
  std::uint32_t last_region_ = 0;
  std::unordered_map<const void*, std::uint32_t> index_;
  std::vector<std::string> names_;
  std::vector<std::uint32_t> instances_;
  std::vector<RegionRecord> records_;
  std::uint64_t left_out_ = 0;
  double acv_sum_ = 0;
  std::uint64_t acv_instances_ = 0;
  AccessCount accesses_, fast_accesses_;
};

/// "program+0x12ab": where a code address lies in its file, the same in every run.
std::string code_name(const void* code);

}  // namespace lbhm::engine
