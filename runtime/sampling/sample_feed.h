// Part of the door of runtime/sampling: the machine's samples, drained once and read by several.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <span>
#include <vector>

#include "runtime/base/values.h"
#include "runtime/machine/machine.h"

namespace lbhm {

/// Every reader gets every sample once. Calls may come from any thread; the machine is drained under a lock that no
/// other room takes.
class SampleFeed {
 public:
  enum class Reader : std::uint8_t { phases, intervals, uses, timeline };
  /// Of samples that a reader does not come for, because the machine lost its thread (assumption: more than any
  /// interval brings).
  static constexpr std::size_t most_kept = 1u << 20;

  /// A machine without samples gives none. `keeps`: of samples that a reader does not come for; more are lost.
  explicit SampleFeed(Machine& machine, std::size_t keeps = most_kept)
      : machine_(machine), source_(machine.samples()), keeps_(keeps) {}

  /// Whether samples are kept for this reader from now on; at first they are for nobody.
  void follow(Reader reader, bool on);
  /// Moves all samples since the reader's last call to the end of `out`. Those without a latency (page faults) get what
  /// their memory takes when it is idle: without one they would say that nobody waits for memory. Returns how many were
  /// lost since then.
  std::uint64_t read(Reader reader, std::vector<AccessSample>& out);

  /// The same of those that other readers have come for: who only shows samples changes nothing of what the others get.
  void read_along(Reader reader, std::vector<AccessSample>& out);

  /// One access in so many is sampled, as the machine has it of itself; 1 where it has no samples.
  AccessCount period() const { return source_ ? source_->period() / weight_.load() : AccessCount(1); }
  /// From now on one in so many is, more than 0, and AccessSample::weight tells by how much more each of them stands
  /// for. Lanes of a real machine may run: the few samples that they take meanwhile have the new weight.
  void change_period(AccessCount period);
  bool any() const { return source_ != nullptr; }
  SampleOf of() const { return source_ ? source_->of() : SampleOf::misses; }

  /// No samples until wake(): nobody can use them yet. Called while no lane runs.
  void rest() {
    const AccessCount own = period();
    if (!source_ || !(own.value > 0)) return;
    source_->set_period(AccessCount(0));
    own_.store(own.value);
  }
  /// As before rest(); without that nothing. Called while no lane runs.
  void wake() {
    if (const double own = own_.exchange(0); own > 0) source_->set_period(AccessCount(own));
  }

 private:
  struct Waiting {
    bool on = false;
    std::vector<AccessSample> samples;
    std::uint64_t lost = 0;
  };
  std::uint64_t drain(std::vector<AccessSample>& out);
  static void move_waiting(Waiting& from, std::vector<AccessSample>& out);
  void add(std::span<const AccessSample> samples, std::uint64_t lost, Waiting& to) const;
  Waiting& of(Reader reader) { return waiting_[static_cast<std::size_t>(reader)]; }

  Machine& machine_;
  SampleSource* source_;
  const std::size_t keeps_;
  std::atomic<double> own_{0};     ///< period to wake up to; 0: awake
  std::atomic<double> weight_{1};  ///< of the samples that come
  std::mutex mutex_;
  std::array<Waiting, 4> waiting_;
};

}  // namespace lbhm
