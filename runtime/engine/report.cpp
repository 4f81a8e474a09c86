#include "runtime/engine/report.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <new>
#include <nlohmann/json.hpp>

#include "runtime/base/files.h"
#include "runtime/engine/code_regions_report.h"
#include "runtime/engine/report_blocks.h"
#include "runtime/engine/scope_run.h"
#include "runtime/own_memory/own_memory.h"

namespace lbhm::engine {
namespace {

using Json = nlohmann::ordered_json;

/// Whole nanoseconds; null for "there is none".
Json whole(double value) { return std::isfinite(value) ? Json(std::llround(value)) : Json(nullptr); }
Json whole(Nanoseconds value) { return whole(value.value); }

/// Null for what the machine cannot count.
Json count(double value) { return value < 0 ? Json(nullptr) : whole(value); }

/// Null for what is not known.
Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

/// ln(predicted / measured) and its parts.
Json error_json(const PredictionError& error) {
  if (!error.known()) return nullptr;
  return {{"total", error.total()},
          {"counts", error.counts},
          {"homogeneous", error.homogeneous},
          {"correlation", error.correlation}};
}

/// All predictions of the run in one; null if there were none.
Json prediction_json(const PredictionTotals& totals) {
  if (totals.error.tasks() == 0) return nullptr;
  const PredictionError parts = totals.mean();
  return {{"tasks", totals.error.tasks()},           {"mean_error", totals.error.mean()},
          {"accuracy", 1 - totals.error.mean()},     {"explained_tasks", totals.explained},
          {"counts", number(parts.counts)},          {"homogeneous", number(parts.homogeneous)},
          {"correlation", number(parts.correlation)}};
}

Json task_json(const TaskRecord& task) {
  return {{"lane", task.lane.value},
          {"time_ns", whole(task.time)},
          {"predicted_ns", whole(task.predicted)},
          {"error", error_json(task.error)},
          {"accesses", whole(task.accesses.value)},
          {"fast_accesses", whole(task.fast_accesses.value)},
          {"fast_bytes", task.fast_bytes.value},
          {"prefetches", count(task.prefetches)},
          {"useless_prefetches", count(task.useless_prefetches)}};
}

/// Throws std::bad_alloc where there is no memory for the rest of the report.
void go_on() {
  if (own_memory::Reserve::drawn()) throw std::bad_alloc();
}

Json regions_json(const RegionLog& log, bool blocks) {
  Json regions = Json::array();
  for (const RegionRecord& record : log.records()) {
    go_on();
    Json tasks = Json::array();
    for (const TaskRecord& task : record.tasks) {
      tasks.push_back(task_json(task));
      if (blocks) tasks.back()["blocks"] = task_blocks_json(task);
    }
    regions.push_back({{"region", log.name(record.region)},
                       {"instance", record.instance},
                       {"time_ns", whole(record.time)},
                       {"running_error", number(record.running_error)},
                       {"tasks", std::move(tasks)}});
  }
  return regions;
}

Json times_json(const HomogeneousTimes& times) {
  return {{"slow_only_ns", whole(times.slow_only)}, {"fast_only_ns", whole(times.fast_only)}};
}

/// The times that were planned by, then those of both rules of scaling.
Json task_forecast_json(const TaskForecastRecord& task, InputScaling scaling, const RegionLog& log) {
  const bool cosine = scaling == InputScaling::cosine;
  Json json = times_json(task.planned);
  json["region"] = log.name(task.region);
  json["lane"] = task.lane.value;
  json["sizes"] = times_json(cosine ? task.other : task.planned);
  json["cosine"] = times_json(cosine ? task.planned : task.other);
  return json;
}

Json object_json(const ObjectRecord& object) {
  Json lanes = Json::object();
  for (const auto& [lane, accesses] : object.counted_by_lane) lanes[std::to_string(lane)] = whole(accesses.value);
  return {{"name", object.name},
          {"bytes", object.bytes.value},
          {"kind", object.kind},
          {"alpha", object.alpha},
          {"estimated_accesses", whole(object.estimated.value)},
          {"counted_accesses", object.counted ? whole(object.counted->value) : Json(nullptr)},
          {"counted_by_lane", std::move(lanes)},
          {"planned_fast_bytes", object.planned.value}};
}

Json plan_json(const PlanRecord& plan, const RegionLog& log) {
  Json budget = Json::array();
  for (std::size_t i = 0; i < plan.budget.size(); ++i) {
    const TaskBudget& task = plan.budget[i];
    budget.push_back({{"region", log.name(plan.tasks[i].region)},
                      {"lane", task.lane.value},
                      {"fast_share", task.fast_share},
                      {"fast_bytes", task.fast_bytes.value},
                      {"predicted_ns", whole(task.predicted)}});
  }
  Json objects = Json::array();
  for (const ObjectRecord& object : plan.objects) objects.push_back(object_json(object));
  Json tasks = Json::array();
  for (const TaskForecastRecord& task : plan.tasks) tasks.push_back(task_forecast_json(task, plan.scaling, log));
  return {{"scope", plan.scope},
          {"instance", plan.instance},
          {"decision_ns", whole(plan.decision)},
          {"running_error", number(plan.running_error)},
          {"moved_bytes", plan.moves.moved.value},
          {"evicted_bytes", plan.moves.evicted.value},
          {"placed_bytes", plan.moves.placed.value},
          {"failed_bytes", plan.moves.failed.value},
          {"left_bytes", plan.moves.left.value},
          {"first_failure", plan.moves.first_failure},
          {"objects", std::move(objects)},
          {"tasks", std::move(tasks)},
          {"budget", std::move(budget)}};
}

/// Null: nothing was to move beside the program.
Json background_json(const BackgroundReport& report) {
  if (report.planned.value == 0) return nullptr;
  return {{"planned_bytes", report.planned.value},       {"moved_bytes", report.moves.moved.value},
          {"evicted_bytes", report.moves.evicted.value}, {"placed_bytes", report.moves.placed.value},
          {"failed_bytes", report.moves.failed.value},   {"forgotten_bytes", report.forgotten.value},
          {"waiting_bytes", report.moves.left.value},    {"first_failure", report.moves.first_failure}};
}

std::vector<std::string> remarks(Engine& e) {
  std::vector<std::string> lines = e.machine->remarks();
  if (e.placing && e.needs.forecast && e.scopes.table.empty())
    lines.push_back("the program never called LB_HM_config: policy " + std::string(e.policy->name()) +
                    " had nothing to plan for; call it before the parallel region (docs/using.md)");
  if (e.scopes.lost_samples > 0)
    lines.push_back(std::to_string(e.scopes.lost_samples) +
                    " samples were lost, so access counts are low; raise LBHM_SAMPLE_PERIOD");
  for (std::string& sentence : e.patterns.stale()) lines.push_back(std::move(sentence));
  if (e.log.left_out() > 0)
    lines.push_back("the report shows the first " + std::to_string(RegionLog::kept_instances) + " region instances; " +
                    std::to_string(e.log.left_out()) + " more are only in the totals");
  if (e.scopes.plans.left_out() > 0)
    lines.push_back("the report shows the first " + std::to_string(PlanLog::kept_plans) + " plans; " +
                    std::to_string(e.scopes.plans.left_out()) + " more are only in the totals");
  if (const std::uint64_t times = e.without_memory.load(); times > 0)
    lines.push_back("LB-HM found no memory for its own data " + std::to_string(times) +
                    " times: regions or plans are missing here; raise the limit of address space (ulimit -v)");
  if (e.too_deep.load() > 0)
    lines.push_back("parallel regions nested deeper than 64 levels are part of the region around them");
  if (!e.model.refusal().empty()) lines.push_back(e.model.refusal());
  std::ranges::move(e.policy->remarks(), std::back_inserter(lines));
  if (e.profile) std::ranges::move(stale_modules(block_modules(), *e.profile), std::back_inserter(lines));
  return lines;
}

Json report_json(Engine& e) {
  const Topology& topology = e.machine->topology();
  const double accesses = e.log.accesses().value;
  Json plans = Json::array();
  for (const PlanRecord& plan : e.scopes.plans.records()) {
    plans.push_back(plan_json(plan, e.log));
    go_on();
  }
  Json report{{"schema", "lbhm.report/1"},
              {"machine", topology.name},
              {"machine_fingerprint", topology.fingerprint},
              {"virtual_time", e.machine->execution().virtual_time()},
              {"policy", e.policy->name()},
              {"correlation", e.model.name()},
              {"memory_mode", e.settings.memory_mode},
              {"fast_capacity_bytes", topology.tiers[0].capacity.value},
              {"footprint_bytes", e.machine->peak_footprint().value},
              {"makespan_ns", whole(e.measured_time)},
              {"acv", e.log.average_coefficient_of_variation()},
              {"fast_access_share", accesses > 0 ? e.log.fast_accesses().value / accesses : 0},
              {"migrated_bytes", e.scopes.migrated.value + e.moved_at_intervals.load() + e.mover.moved().value},
              {"decision_ns", whole(e.decision_time)},
              {"prediction", prediction_json(e.scopes.prediction)},
              {"remarks", remarks(e)},
              {"plans", std::move(plans)},
              {"background", background_json(e.mover.report())},
              {"regions", regions_json(e.log, e.settings.blocks)},
              {"code_regions", code_regions_json()}};
  if (e.settings.blocks) report["modules"] = modules_json();
  go_on();
  return report;
}

}  // namespace

Status write_report(Engine& e) {
  const std::lock_guard lock(e.mutex);
  scope_close(e);
  const std::string& file = e.settings.report;
  const Status written = write_file(file, report_json(e).dump(1, ' ', false, Json::error_handler_t::replace) + '\n');
  if (written.ok()) return {};
  return Status(written.code(), "the run report " + file + " could not be written (" + written.message() +
                                    "); give LBHM_REPORT a path that you may write to, and room for it (ulimit -f)");
}

}  // namespace lbhm::engine
