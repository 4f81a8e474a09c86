// The fewest pages of fast memory with which every region of a phase ends after a given time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/placement/heat/page_heat.h"
#include "runtime/placement/placement.h"

namespace lbhm::placement {

/// Pages that are to be fast.
struct Chosen {
  std::vector<std::uint64_t> pages;  ///< of each run of the map
  std::vector<double> brought;       ///< accesses to them, by task and weight
  std::vector<double> accesses;      ///< the same, each as one
  std::vector<double> lines;         ///< that slow memory need not move for these, by task
  std::uint64_t count = 0;           ///< of all runs
};

/// A covering problem: each task needs so many fast accesses (the inverse of its curve, Eq. 2), each page brings some
/// to each of its users. Pages of one task are taken hottest first, which is optimal for them. A shared page is taken
/// while it saves its users more than a page of their own: sum over users of (accesses to the page) / (accesses to the
/// page that they would take next) > 1, the dual prices of the linear program; it is counted once. Two
/// rows are no task: the ones that others wait for at the barriers inside of a region, taken together, and slow memory
/// as a whole: as long as it would be busy for longer than the time allows, the hottest of all pages come too.
///
/// Refers to its arguments.
class Cover {
 public:
  Cover(const PhaseForecast& phase, const HeatMap& map);

  std::size_t regions() const { return earliest_.size(); }
  const HeatRun& run(std::size_t number) const { return map_.runs[number]; }
  Chosen nothing() const {
    const std::vector<double> none(totals_.size());
    return {.pages = std::vector<std::uint64_t>(map_.runs.size()), .brought = none, .accesses = none, .lines = none};
  }
  /// So many pages more of a run.
  void add(std::size_t run, std::uint64_t pages, Chosen& to) const;
  /// The pages with which no task of a region takes longer than `ends` (by region) says; nothing if they are more than
  /// `room` or that is impossible.
  std::optional<Chosen> pages_for(std::span<const Nanoseconds> ends, std::uint64_t room);

  /// By region: the time of its last task with these pages, contention for slow memory included.
  std::vector<Nanoseconds> ends_of(const Chosen& chosen) const;
  /// The share of the task's accesses that is fast then, by their weights: where its curve is.
  double share_of(std::size_t task, const Chosen& chosen) const;
  /// The same, each as one: what can be counted.
  double counted_share_of(std::size_t task, const Chosen& chosen) const;
  /// By region: the earliest end with unlimited fast memory.
  std::span<const Nanoseconds> earliest() const { return earliest_; }
  /// Of all regions together, the mean time of their tasks then.
  Nanoseconds mean_of(const Chosen& chosen) const;
  /// By run: what a page of it saves, summed over all tasks.
  std::span<const double> savings() const { return savings_; }
  /// All runs, the one whose pages save most first.
  std::span<const std::size_t> by_savings() const { return by_savings_; }
  /// At runs, their users and tasks, so far.
  std::uint64_t looks() const { return looks_; }

 private:
  struct Heat {
    std::size_t run;
    double per_page;
  };
  /// The runs that only one task uses, hottest first, and what they bring together.
  struct Own {
    std::vector<std::size_t> runs;
    std::vector<double> brought;  ///< by run, with all runs before it
    double mean = 0;              ///< accesses a page
  };
  struct Need {
    double accesses = 0;
    double price = 0;  ///< of one access, in pages: 1 / accesses to the page of its own that the task would take next
  };

  void sort_own(std::size_t task, double pages);
  bool set_needs(std::span<const Nanoseconds> ends);
  void set_price(std::size_t task);
  double value_of(const HeatRun& run) const;
  void take_shared(Chosen& chosen);
  void take_own(Chosen& chosen) const;
  /// What several tasks of a region must do together by its end: fixed + sum of weight x slow accesses, or lines.
  struct Row {
    std::uint32_t region = 0;
    Nanoseconds fixed{};
    std::vector<double> weights;  ///< nanoseconds of one slow access, or line, by task
    bool of_lines = false;
    std::vector<Heat> by_heat{};  ///< nanoseconds of a page, the most first
  };
  void add_row(Row row);
  void add_rows();
  Nanoseconds time_of(const Row& row, const Chosen& chosen) const;
  void relieve(const Row& row, Nanoseconds end, Chosen& chosen) const;

  const PhaseForecast& phase_;
  const HeatMap& map_;
  std::vector<double> totals_;       ///< accesses by task, by their weights
  std::vector<double> counted_;      ///< the same, each as one
  std::vector<double> lines_;        ///< that slow memory moves for them, by task
  std::vector<Own> own_;             ///< by task
  std::vector<std::size_t> shared_;  ///< runs with several users
  std::vector<Row> rows_;
  std::vector<double> savings_;  ///< nanoseconds
  std::vector<std::size_t> by_savings_;
  std::vector<Need> needs_;  ///< by task
  std::vector<Nanoseconds> earliest_;
  mutable std::uint64_t looks_ = 0;
};

}  // namespace lbhm::placement
