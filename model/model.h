// Door of model/: pure arithmetic from what was measured to what is expected. No operating system, no threads.
// Source: Xie, Liu, Li, Li: Merchandiser, PPoPP '23 ("the paper").
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/units.h"
#include "runtime/base/values.h"

namespace lbhm {

/// Eq. 1: esti_mem_acc = S_new / (S_base * alpha) * prof_mem_acc. 0 if S_base is 0.
AccessCount estimated_accesses(AccessCount profiled, Bytes base, Bytes now, double alpha);

/// Eq. 1 for every object of a task, spread over the pages of the new object as over those of the base object:
/// what lay at x % of the old object is expected at x % of the new one. To bridge the gaps between samples, counts are
/// taken together in at most `extents_per_object` runs of equal length an object.
/// `alpha` has one value a slot, or is empty for 1 everywhere. Slots beyond the ends of `base` or `now` are left out,
/// and so are runs without accesses: the pages of the extents are the pages that the task is expected to use.
AccessEstimate estimate_accesses(const TaskProfile& profile, std::span<const Bytes> base, std::span<const Bytes> now,
                                 std::span<const double> alpha, Bytes page, std::uint64_t extents_per_object = 256);

/// Main-memory accesses of an input-independent stencil, measured by the stencil microbenchmark (`lbhm machine alpha`).
struct StencilRow {
  std::uint32_t dimensions = 0;
  std::uint32_t points = 0;
  Bytes element;
  Bytes object;  ///< that the stencil reads
  double accesses_per_element = 0;
};

struct StencilTable {
  std::vector<StencilRow> rows;  ///< in any order; empty: not measured

  /// Of the stencil of this shape, or of the most similar one of as many dimensions; between two measured sizes linear
  /// in the logarithm of the size, beyond them as at the last one. Nothing if there is no stencil of these dimensions.
  std::optional<double> accesses_per_element(const AccessPattern& stencil, Bytes object) const;
};

/// Lines that elements of `element` bytes touch, one every `stride` bytes of an object, from its first byte, which is
/// the first of a line. Sizes are rounded up to whole lines. 0 if line or object are empty.
std::uint64_t lines_touched(Bytes object, Bytes element, std::uint64_t stride, Bytes line);

/// M(S): main-memory accesses, up to a constant factor, that one pass of a pattern makes on an object of S bytes none
/// of which is in a cache. Nothing where only refinement can tell: input-dependent stencils, those that were not
/// measured, random and unknown patterns.
std::optional<double> pattern_accesses(const AccessPattern& pattern, Bytes object, Bytes line,
                                       const StencilTable& stencils);

/// alpha of Eq. 1 for an object accessed with one pattern: (S_new / S_base) * M(S_base) / M(S_new), so that Eq. 1
/// multiplies the profiled count with M(S_new) / M(S_base). 1 where pattern_accesses says nothing.
double alpha(const AccessPattern& pattern, Bytes base, Bytes now, Bytes line, const StencilTable& stencils);

/// The same for an object accessed with several patterns: each makes its part of the accesses, so 1/alpha is the mean
/// of the patterns' 1/alpha, weighted with AccessPattern::weight. 1 if there are none.
double alpha(std::span<const AccessPattern> patterns, Bytes base, Bytes now, Bytes line, const StencilTable& stencils);

/// Refinement of alpha over the instances of one task and object (section 4, "Runtime refinement"). The paper updates
/// a number; ours is a power law M = a S^p through the counts, because a cache that holds less and less of a growing
/// object makes alpha depend on the size. Recent instances and those of similar size count more. p is 1, as in Eq. 1
/// alone, as far as noise explains what was seen, and always between 0 and 3.
class AlphaRefinement {
 public:
  /// After each instance, the base instance included: the object's size and the accesses counted there. `a_sample`: how
  /// many accesses each sample stands for, 0 if all were counted. Sizes of 0 and what is no number tell nothing and are
  /// left out.
  void observe(Bytes size, AccessCount counted, AccessCount a_sample = AccessCount(0));

  /// For Eq. 1 with the first count that was not 0 as the profiled one: of the base instance, or of the first one that
  /// accessed the object. 1 before.
  double alpha(Bytes base, Bytes now) const;

  /// What Eq. 1 with this alpha predicts.
  AccessCount expected(Bytes now) const;

  std::size_t instances() const { return seen_; }

 private:
  struct Observation {
    double log_size, log_count, variance;
  };
  double log_expected(double log_size) const;

  std::vector<Observation> observations_;  // the oldest first; very old ones are forgotten
  std::optional<double> base_;             // logarithm of the first count that was not 0
  std::size_t seen_ = 0;
};

/// How many times longer each task (by lane) will take on objects of the sizes `now` than in its base instance: the
/// geometric mean of S_new / S_base over the objects that only this task accesses and whose size changed; over all
/// objects that it accesses, if none of its own changed; 1 if none changed at all. An object that keeps its size
/// (a table of fixed length) says nothing about how the input grew.
std::vector<double> input_scales(const PhaseProfile& profile, std::span<const Bytes> now);

/// The two memories between which a task's time is predicted.
struct MemoryPair {
  TierId fast;
  TierId slow;
  double sequential_ratio = 1;  ///< slow latency / fast latency, neighbouring lines
  double random_ratio = 1;      ///< the same, unrelated lines
  double bandwidth_ratio = 1;   ///< fast read bandwidth / slow read bandwidth
  Nanoseconds fast_sequential, fast_random, slow_sequential, slow_random;
};

struct HomogeneousTimes {
  Nanoseconds slow_only;
  Nanoseconds fast_only;
  /// 0: latency or computing decides, 1: the bandwidth of slow memory decides. The use of that bandwidth, times the
  /// share of its time in which the task waits for memory at all; 0 between memories that are alike.
  double bandwidth_bound = 0;
};

/// What a task would take with all accesses in one memory, from its base instance on any mix.
/// The time that it waited for memory is divided between the tiers by accesses * mean latency; each part is scaled by
/// the ratio of the two memories, which is the latency ratio for a latency-bound task and tends to the bandwidth ratio
/// as the use of slow memory's bandwidth by all tasks of the phase (`slow_utilisation`, 0 to 1) grows. Tiers that are
/// neither of the pair count as slow. Accesses that queued in slow memory (a mean latency above its random one) are
/// taken not to queue in fast memory, which is not faster than its bandwidth, though. If the machine cannot count the
/// time waited, it is taken as if no two accesses overlapped, at most the time of the task. A task without accesses
/// takes the same time everywhere.
HomogeneousTimes homogeneous_times(const TaskProfile& profile, const MemoryPair& memory, double slow_utilisation,
                                   double cycles_per_nanosecond);

/// How the work of a new input follows from the sizes of its objects.
enum class InputScaling : std::uint8_t {
  sizes,   ///< ours: power laws of single objects, see predicted_blocks
  cosine,  ///< the paper's: cosine similarity of the vectors of sizes (section 5.2)
};

/// Cosine of the angle between two vectors of sizes; 1 if one of them is all zeroes. Slots beyond an end count as 0.
double cosine_similarity(std::span<const Bytes> base, std::span<const Bytes> now);

/// An earlier instance of a task: the sizes of the objects, by slot, and its block counts.
struct BlockInstance {
  std::vector<Bytes> sizes;
  std::vector<double> blocks;
};

/// What the block counts of one task are predicted from.
struct TaskInput {
  std::span<const Bytes> base;          ///< sizes in the base instance, by slot
  std::span<const Bytes> now;           ///< and of the new input
  std::span<const Bytes> elements;      ///< by slot; 0 or missing: 8
  std::span<const double> tasks;        ///< that access the object, by slot; 0 or missing: this task does not
  std::span<const BlockInstance> seen;  ///< the base instance may be one of them
};

/// Executions of every block on the new input. Input-independent blocks stay as they are. The others, by
///   cosine  are multiplied with the cosine similarity of base and new sizes, so they never grow;
///   sizes   follow a power law of the size of one object, found (1) from instances seen with two or more different
///           sizes, (2) from the base instance alone: a block executed about as often as N^p, N elements of an object
///           that this task has, p one of 1/2, 1, 3/2, 2, or N log N, (3) else with the mean growth of the sizes, as
///           input_scales without blocks.
std::vector<double> predicted_blocks(std::span<const double> base_blocks, std::span<const BlockFacts> facts,
                                     const TaskInput& input, InputScaling scaling);

/// Sum of executions * time of one execution, in either memory. Nothing if less than half of the executed
/// instructions are in blocks with known times; those without count as the mean of the others.
std::optional<HomogeneousTimes> block_time(std::span<const double> blocks, std::span<const BlockFacts> facts);

/// The fast-only time by what was measured offline, in place of what was derived from latencies and bandwidths: the
/// ratio of block times in the two memories, applied to the slow-only time. As it was if the times of blocks are not
/// known. `blocks`: of the instance that `derived` is of.
HomogeneousTimes with_block_times(HomogeneousTimes derived, std::span<const double> blocks,
                                  std::span<const BlockFacts> facts);

/// How many times longer a task takes on a new input, in either memory.
struct InputScale {
  double slow = 1;
  double fast = 1;
};

/// What is known about the blocks of a phase. All of it may be empty.
struct BlockKnowledge {
  std::vector<BlockFacts> facts;                 ///< by counter number
  std::vector<Bytes> elements;                   ///< by slot
  std::vector<std::vector<BlockInstance>> seen;  ///< by task
};

/// How many times longer each task (by lane) will take on objects of the sizes `now`: predicted over base block_time;
/// if the times of blocks are not known, predicted over base instructions (executions, if those are not known either).
/// For a task without block counts the cosine itself, or input_scales without blocks.
std::vector<InputScale> input_scales(const PhaseProfile& profile, std::span<const Bytes> now,
                                     const BlockKnowledge& blocks, InputScaling scaling);

/// Homogeneous times of a new input.
HomogeneousTimes scaled(const HomogeneousTimes& base, const InputScale& scale);

/// Homogeneous times that one instance of a task says. What an instance measured itself is certain; what was derived
/// from it is taken to be as uncertain as the change that the derivation made (an assumption).
struct SeenTimes {
  HomogeneousTimes times;
  InputScale scale;        ///< work of the instance / work of the base instance
  double slow_change = 0;  ///< logarithm of slow-only / measured time: 0 if it ran in slow memory
  double fast_change = 0;  ///< logarithm of fast-only / measured time: 0 if it ran in fast memory
  double share = std::numeric_limits<double>::quiet_NaN();  ///< r: of its accesses in fast memory; NaN: not known
};

/// `measured`: what the instance took on whatever mix it ran; `derived`: by homogeneous_times. If one of the times is
/// not positive, the instance says nothing: see refined.
SeenTimes seen_times(Nanoseconds measured, const HomogeneousTimes& derived, const InputScale& scale);

/// Times of an input with `now` times the work of the base instance, from the base instance and later ones: mean of the
/// logarithms of their times, each scaled to the new input, weighted by the inverse of its variance. The variance is
/// the square of what was derived, plus the square of what was scaled, plus that of the repeatability (2 %). Without
/// later instances this is scaled(base.times, now). bandwidth_bound is the base's.
HomogeneousTimes refined(const SeenTimes& base, std::span<const SeenTimes> later, const InputScale& now);

/// What f of Eq. 2 may look at beside r, of the base instance. NaN where it is not known. The first eight are the
/// paper's (TaskEvents); the next three complete the events that those are made of; the others are ours, most of them
/// of events of their own. A model names those that it looks at. A name never changes its meaning: another one is
/// another feature.
struct CorrelationFeatures {
  static constexpr std::size_t count = 25;
  static constexpr std::array<const char*, count> names{
      "LLC_MPKI",     "IPC", "PRF_Miss", "MEM_WCY", "L2_LD_Miss", "BR_MSP", "VEC_INS", "L3_LD_Miss",
      "PRF_PKI",       // prefetches per 1000 instructions
      "PRF_Useless",   // share of the prefetched lines that nobody wanted
      "BR_PKI",        // branches per 1000 instructions
      "MISS_STALL",    // cycles waited for memory per miss of the last level: few where misses overlap
      "MLP",           // memory-level parallelism: loads from memory under way while one is
      "AOL",           // amortised latency of such a load, in cycles: latency / MLP (Soar, OSDI 2025)
      "FB_FULL",       // share of the cycles in which a load waited for a fill buffer
      "SLOW_USE",      // Traffic::all_use
      "SLOW_USE_OWN",  // Traffic::own_use
      "FAST_TIME",     // T_fast / T_slow
      "PAGES_2",       // share of the time with loads from memory under way in which they are from at least 2 pages
      "PAGES_4",       // the same, 4 pages
      "PAGES_8",       // the same, 8 pages
      "SAVED",         // (T_slow - T_fast) / accesses, in ns
      "LOADS",         // share of the accesses that are loads
      "LOAD_CYCLES",   // share of the cycles with at least one load from memory under way
      "LANES",         // Traffic::lanes
  };
  std::array<double, count> values{};
};

/// The correlation function f of Eq. 2.
class Correlation {
 public:
  virtual ~Correlation() = default;
  /// Name for reports: "analytic", or the fingerprint of a trained model.
  virtual std::string_view name() const = 0;
  /// f(PMCs, r) for every r of TaskTimes::share.
  virtual void evaluate(const CorrelationFeatures& features, const HomogeneousTimes& times,
                        std::span<double, TaskTimes::points> f) const = 0;
  /// T_fast / T_fast as homogeneous_times derives it from a run in slow memory; `features` are of the derived times.
  /// 1: nothing is known.
  virtual double fast_time(const CorrelationFeatures&) const { return 1; }
};

/// The analytic f, used where no trained model fits:
///   f(r) = 1 - b * min(1, r T_fast / ((1 - r) T_slow)),   f(1) = 1
/// For a latency-bound task (b = 0) it is 1: every access moved saves the same. For a bandwidth-bound one (b = 1) both
/// memories work side by side and Eq. 2 becomes max((1 - r) T_slow, r T_fast).
const Correlation& analytic_correlation();

/// What later instances showed of a task's f, beside what the model says.
struct Shift {
  double slope = 0;  ///< to add to (f - 1) / r
  double seen = 0;   ///< by how much it rests on instances: 0, the model alone, to 1
};

/// The mean of what the model says and what each instance showed, by the inverse of their variances. An instance at the
/// share r shows f_i = (T_i - r T_fast) / ((1 - r) T_slow). Its variance is that of the measured time and of T_slow and
/// T_fast (refined); of the model's slope, what it misses on code that it was not trained on.
Shift shown_shift(const SeenTimes& base, std::span<const SeenTimes> later, const CorrelationFeatures& features,
                  const Correlation& f);

/// Eq. 2 for all points: T_slow (1 - r) f(PMCs, r) + T_fast r. Times are scaled by `scale` (input_scales)
/// first. The curve is kept between T_fast and T_slow as the paper's rationale (1) demands, except where a
/// bandwidth-bound task gains from both memories at once. Where fast memory is not the slower one, the time at a share
/// is that of the best share up to it: more fast memory than helps is not used, so more never takes longer, and the
/// curve may end below T_fast. `shift` is added to (f - 1) / r.
TaskTimes predict_times(LaneId lane, const HomogeneousTimes& base, double scale, const CorrelationFeatures& features,
                        const Correlation& f, double shift = 0);

/// A predicted time between the points of the curve, linear.
Nanoseconds time_at(const TaskTimes& times, double share);

}  // namespace lbhm
