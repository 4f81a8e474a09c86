#include "runtime/record/recorder.h"

#include <errno.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <numeric>

#include "runtime/base/own_folder.h"
#include "runtime/own_memory/own_memory.h"
#include "runtime/record/report_json.h"

namespace lbhm {
namespace {

using record::Json;
using record::number;
using record::whole;

/// Throws std::bad_alloc where there is no memory for the rest of the report.
void go_on() {
  if (own_memory::Reserve::drawn()) throw std::bad_alloc();
}

/// What `make` makes, in a line. Destructors of JSON values allocate and may not fail. Throws std::bad_alloc.
template <class Make>
std::string text_of(const Make& make) {
  const own_memory::Reserve reserve;
  std::string text = make().dump(-1, ' ', false, Json::error_handler_t::replace);
  go_on();
  return text;
}

}  // namespace

Recorder::Recorder(bool report, bool blocks)
    : report_(report), blocks_(blocks), program_file_(report ? program_file() : "") {}

void Recorder::add(const RegionRecord& region) {
  double sum = 0, squares = 0, error = std::numeric_limits<double>::quiet_NaN();
  for (const TaskRecord& task : region.tasks) {
    sum += task.time.value;
    squares += task.time.value * task.time.value;
    accesses_ += task.accesses;
    fast_accesses_ += task.fast_accesses;
    if (!(task.predicted.value > 0)) continue;
    prediction_.add(task);
    RunningError& errors = region_errors_[region.region];
    errors.add(task.predicted, task.time);
    error = errors.mean();
  }
  const auto n = static_cast<double>(region.tasks.size());
  if (n > 1 && sum > 0) {
    const double mean = sum / n;
    acv_sum_ += std::sqrt(std::max(0.0, squares / n - mean * mean)) / mean;
    ++acv_instances_;
  }
  if (keeps_next_region()) {
    waiting_.push_back(region);
    waiting_.back().running_error = error;
    waiting_bytes_ += bytes_of(region);
  }
  ++added_;
  if (waiting_bytes_ > most_waiting) keep_waiting();
}

void Recorder::keep_waiting() {
  while (!waiting_.empty()) {
    const RegionRecord& region = waiting_.front();
    kept_regions_.add(text_of([&] { return record::region_json(region, index_, blocks_); }));
    waiting_bytes_ -= bytes_of(region);
    waiting_.pop_front();
  }
}

void Recorder::begin_plan(PlanRecord plan) {
  end_plan();
  if (keeps_next_plan()) plan_ = std::move(plan);
  ++plans_;
}

void Recorder::end_plan() {
  if (!plan_) return;
  const PlanRecord plan = std::move(*plan_);
  plan_.reset();
  kept_plans_.add(text_of([&] { return record::plan_json(plan, index_); }));
}

std::vector<std::string> Recorder::remarks(std::uint64_t lost_regions, std::uint64_t lost_plans) const {
  std::vector<std::string> lines;
  if (lost_plans + lost_regions > 0)
    lines.push_back("the program closed a descriptor that it did not open: records of " + std::to_string(lost_regions) +
                    " region instances and " + std::to_string(lost_plans) + " plans are lost");
  if (lost_samples_ > 0)
    lines.push_back(std::to_string(lost_samples_) +
                    " samples were lost, so access counts are low; raise LBHM_SAMPLE_PERIOD");
  const auto left_out = [&](std::uint64_t all, std::uint64_t kept, const Spool& spool, const char* what) {
    const std::uint64_t shown = std::min(all, kept) - spool.left_out();
    if (all > shown)
      lines.push_back("the report shows the first " + std::to_string(shown) + " " + what + "; " +
                      std::to_string(all - shown) + " more are only in the totals");
  };
  left_out(added_, kept_regions, kept_regions_, "region instances");
  left_out(plans_, kept_plans, kept_plans_, "plans");
  return lines;
}

/// Work outside of regions counts, where the machine can count it.
double Recorder::fast_share(std::span<const AccessCount> of_the_program) const {
  AccessCount all = accesses_, fast = fast_accesses_;
  if (!of_the_program.empty()) {
    all = std::reduce(of_the_program.begin(), of_the_program.end());
    fast = of_the_program.front();
  }
  return all.value > 0 ? fast / all : 0;
}

std::string Recorder::report(const RunSummary& run) {
  keep_waiting();
  end_plan();
  std::uint64_t lost_plans = 0, lost_regions = 0;
  const std::string plans = kept_plans_.array(lost_plans), regions = kept_regions_.array(lost_regions);
  std::vector<std::string> lines = run.remarks;
  std::ranges::move(remarks(lost_regions, lost_plans), std::back_inserter(lines));
  Json report{{"schema", "lbhm.report/1"},
              {"program", program_invocation_name},
              {"program_file", program_file_},
              {"machine", run.machine},
              {"machine_fingerprint", run.fingerprint},
              {"virtual_time", run.virtual_time},
              {"policy", run.policy},
              {"correlation", run.correlation},
              {"memory_mode", run.memory_mode},
              {"fast_capacity_bytes", run.fast_capacity.value},
              {"footprint_bytes", run.footprint.value},
              {"makespan_ns", whole(run.measured)},
              {"acv", acv_instances_ ? acv_sum_ / static_cast<double>(acv_instances_) : 0},
              {"fast_access_share", fast_share(run.accesses)},
              {"migrated_bytes", migrated_.value + run.moved_beside.value},
              {"decision_ns", whole(Nanoseconds(decision_time_))},
              {"prediction", record::prediction_json(prediction_)},
              {"remarks", std::move(lines)},
              {"background", record::background_json(run.background)},
              {"tiers", record::tiers_json(run.tiers)},
              {"timeline", record::timeline_json(run.timeline)},
              {"sites", record::sites_json()},
              {"code_regions", record::code_regions_json()}};
  if (blocks_) report["modules"] = record::modules_json();
  if (!run.worths.empty()) report["worths"] = record::worths_json(run.worths);
  go_on();
  std::string text = report.dump(1, ' ', false, Json::error_handler_t::replace);
  text.resize(text.size() - 2);  // "\n}"
  text += ",\n \"plans\": " + plans + ",\n \"regions\": " + regions + "\n}\n";
  go_on();
  return text;
}

}  // namespace lbhm
