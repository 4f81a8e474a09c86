// Door of runtime/record: what objects were used for, by phase and task.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/range_map.h"
#include "runtime/base/status.h"
#include "runtime/base/values.h"
#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"

namespace lbhm {

class SampleFeed;

/// Sampled touches of an object in a phase: of all lanes, or of one.
class TouchCounts {
 public:
  /// `knows_server`: false where samples do not tell who had the line, nor when.
  void add(const AccessSample& sample, bool knows_server);
  std::uint64_t loads() const { return loads_; }
  std::uint64_t stores() const { return stores_; }
  /// Of both: nobody waited for the memory.
  std::uint64_t hits() const;
  std::uint64_t by(ServedBy server) const { return served_[static_cast<std::size_t>(server)].touches; }
  /// Mean of the loads that this server had; 0: there are none.
  Nanoseconds latency(ServedBy server) const;
  Nanoseconds first() const { return first_; }  ///< sample, on the machine's clock
  Nanoseconds last() const { return last_; }

 private:
  struct Served {
    std::uint64_t touches = 0, loads = 0;
    Nanoseconds waited;  // by the loads
  };
  std::uint64_t loads_ = 0, stores_ = 0;
  std::array<Served, servers> served_{};
  Nanoseconds first_, last_;
};

/// Of an object in a phase.
struct PhaseUse {
  TouchCounts all;
  std::map<std::uint32_t, TouchCounts> lanes{};
};

/// Calls may come from any thread. They throw std::bad_alloc.
class UseProfile {
 public:
  static constexpr std::size_t most_objects = std::size_t{1} << 18, most_phases = std::size_t{1} << 16;
  static constexpr std::uint32_t most_lanes = 4096;  ///< those beyond are taken for one

  /// The first phase begins: what the program does before it names or repeats anything. Samples are of touches, where
  /// the machine has such, else those of `feed`.
  UseProfile(Machine& machine, SampleFeed& feed);

  void born(const Object& object);
  void died(std::uintptr_t address);
  /// While no lane runs, as the next one.
  void phase_begins(std::string_view name);
  void drain();
  /// The content of the file (schema lbhm.uses/1). While no lane runs.
  std::string json();

 private:
  struct Life {
    Object object;
    Nanoseconds born;
    std::optional<Nanoseconds> died{};
    std::uint32_t first = 0, last = 0;         // phases
    std::map<std::uint32_t, PhaseUse> uses{};  // by phase
  };
  struct PhaseBegin {
    std::string name;
    Nanoseconds time;
  };

  void drain_locked();
  std::string_view source() const;
  Life* owner_of(const AccessSample& sample);
  std::uint32_t phase() const { return static_cast<std::uint32_t>(phases_.size() - 1); }

  Machine& machine_;
  SampleFeed& feed_;
  std::mutex mutex_;
  std::vector<Life> objects_;      // in the order of their births
  RangeMap<std::size_t> living_;   // which of them
  std::vector<std::size_t> dead_;  // since the last drain
  std::vector<PhaseBegin> phases_;
  std::map<std::uint32_t, PhaseUse> elsewhere_;  // by phase
  std::vector<AccessSample> samples_;
  std::uint64_t lost_ = 0, left_out_ = 0;
};

}  // namespace lbhm
