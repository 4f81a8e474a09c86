// Part of the door of runtime/record: what a run looked like over time.
#pragma once

#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/machine/machine.h"
#include "runtime/objects/objects.h"
#include "runtime/sampling/sample_feed.h"

namespace lbhm {

/// Where objects lie, whose accesses are fast, how busy memory was and how much had moved, again and again. It keeps 2
/// * most_moments looks at most: when there are as many, every second one goes, and the next ones come half as often.
/// Objects of one name, or of one site without names, are one row. A look asks for the tiers of some `looked_at` pages,
/// spread over all objects as far as they were touched, and of all pages where there are no more: so rows are right to
/// a few per cent, and a look takes 0.1 ms.
class Timeline {
 public:
  static constexpr std::size_t most_moments = 128, most_rows = 128, most_lanes = 128, looked_at = 1024;
  /// Of each object.
  static constexpr std::uint64_t least_looked_at = 4;
  /// Of more objects a list is made less often.
  static constexpr std::size_t many_objects = 4096;

  struct Row {
    std::string name;
    SiteId site;
    Bytes bytes;                ///< used: the most at one look
    std::uint64_t objects = 0;  ///< likewise
  };
  struct Moment {
    Nanoseconds time;
    Bytes moved;                        ///< so far
    std::vector<Machine::TierUse> use;  ///< by tier; empty: not known
    std::vector<Bytes> lies;            ///< of row r in tier t: [r * tiers + t]; later rows were not there yet
    std::vector<double> served;         ///< samples so far, of lane l by tier t: [l * tiers + t]
  };

  /// `moved`: how much was moved so far.
  Timeline(Machine& machine, const ObjectRegistry& objects, SampleFeed& samples, std::function<Bytes()> moved)
      : machine_(machine), objects_(objects), feed_(samples), moved_(std::move(moved)) {
    feed_.follow(SampleFeed::Reader::timeline, true);
  }

  /// Looks if it is time for the next one. Any thread; of two at one time one does it. Without memory nobody does.
  void look() noexcept;

  /// Nobody looks while it is held: for what follows.
  std::unique_lock<std::mutex> hold() const { return std::unique_lock(mutex_); }
  const std::vector<Row>& rows() const { return rows_; }
  const std::vector<Moment>& moments() const { return moments_; }
  std::size_t tiers() const { return machine_.topology().tiers.size(); }
  /// Objects that came when there were most_rows rows already.
  bool left_out() const { return left_out_; }

 private:
  class Touched;

  void look_locked();
  std::size_t row_of(const Object& object);
  void look_at_objects(Moment& moment);
  void take_samples();
  Bytes add(const Touched& touched, std::uint64_t looks, std::size_t row, Moment& moment);
  void thin();

  Machine& machine_;
  const ObjectRegistry& objects_;
  SampleFeed& feed_;
  const std::function<Bytes()> moved_;
  mutable std::mutex mutex_;  ///< guards what follows
  Nanoseconds next_, spacing_;
  std::vector<Row> rows_;
  std::unordered_map<std::string, std::size_t> row_by_name_;
  std::vector<Moment> moments_;
  std::vector<double> served_;
  std::vector<AccessSample> samples_;
  std::vector<Object> all_;
  std::uint64_t version_ = ~std::uint64_t{0};  ///< of the registry
  bool left_out_ = false;
};

}  // namespace lbhm
