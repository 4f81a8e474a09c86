// Door of model/: pure arithmetic from what was measured to what is expected. No operating system, no threads.
// Source: Xie, Liu, Li, Li: Merchandiser, PPoPP '23 ("the paper").
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "lbhm/units.h"
#include "lbhm/values.h"

namespace lbhm {

/// The eight workload characteristics of section 5.1 from raw events. NaN where an event is missing or a
/// denominator is zero.
TaskEvents task_events(const EventCounts& raw);

/// An event by the name of its PAPI preset, "PAPI_L2_LDM" for example; nothing if the name stands for no event that
/// EventCounts has, or the machine could not count it.
std::optional<double> papi_event(const EventCounts& raw, std::string_view name);

/// Eq. 1: esti_mem_acc = S_new / (S_base * alpha) * prof_mem_acc. 0 if S_base is 0.
AccessCount estimated_accesses(AccessCount profiled, Bytes base, Bytes now, double alpha);

/// Eq. 1 for every object of a task, spread over the pages of the new object as over those of the base object:
/// what lay at x % of the old object is expected at x % of the new one. To bridge the gaps between samples, counts are
/// taken together in at most `extents_per_object` runs of equal length an object.
/// `alpha` has one value a slot, or is empty for 1 everywhere. Slots beyond the ends of `base` or `now` are left out,
/// and so are runs without accesses: the pages of the extents are the pages that the task is expected to use.
AccessEstimate estimate_accesses(const TaskProfile& profile, std::span<const Bytes> base, std::span<const Bytes> now,
                                 std::span<const double> alpha, Bytes page, std::uint64_t extents_per_object = 256);

/// How many times longer each task (by lane) will take on objects of the sizes `now` than in its base instance: the
/// geometric mean of S_new / S_base over the objects that only this task accesses and whose size changed; over all
/// objects that it accesses, if none of its own changed; 1 if none changed at all. An object that keeps its size
/// (a table of fixed length) says nothing about how the input grew.
std::vector<double> input_scales(const ScopeProfile& profile, std::span<const Bytes> now);

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
/// as the use of slow memory's bandwidth by all tasks of the scope (`slow_utilisation`, 0 to 1) grows. Tiers that are
/// neither of the pair count as slow. If the machine cannot count the time waited, it is taken as if no two accesses
/// overlapped, at most the time of the task. A task without accesses takes the same time everywhere.
HomogeneousTimes homogeneous_times(const TaskProfile& profile, const MemoryPair& memory, double slow_utilisation,
                                   double cycles_per_nanosecond);

/// The correlation function f of Eq. 2.
class Correlation {
 public:
  virtual ~Correlation() = default;
  /// Name for reports: "analytic", or the fingerprint of a trained model.
  virtual std::string_view name() const = 0;
  /// f(PMCs, r) for every r of TaskTimes::share.
  virtual void evaluate(const TaskEvents& events, const HomogeneousTimes& times,
                        std::span<double, TaskTimes::points> f) const = 0;
};

/// The analytic f, used until a trained model is there:
///   f(r) = 1 - b * min(1, r T_fast / ((1 - r) T_slow)),   f(1) = 1
/// For a latency-bound task (b = 0) it is 1: every access moved saves the same. For a bandwidth-bound one (b = 1) both
/// memories work side by side and Eq. 2 becomes max((1 - r) T_slow, r T_fast).
const Correlation& analytic_correlation();

/// Eq. 2 for all points: T_slow (1 - r) f(PMCs, r) + T_fast r. Times are scaled by `scale` (input_scales)
/// first. The curve is kept between T_fast and T_slow as the paper's rationale (1) demands, except where a
/// bandwidth-bound task gains from both memories at once.
TaskTimes predict_times(LaneId lane, const HomogeneousTimes& base, double scale, const TaskEvents& events,
                        const Correlation& f);

/// A predicted time between the points of the curve, linear.
Nanoseconds time_at(const TaskTimes& times, double share);

}  // namespace lbhm
