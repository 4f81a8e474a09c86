#include "runtime/record/report_json.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "runtime/base/fingerprint.h"
#include "runtime/objects/known_sites.h"
#include "runtime/phases/block_counts.h"

namespace lbhm::record {
namespace {

/// Null for what the machine cannot count.
Json count(double value) { return value < 0 ? Json(nullptr) : whole(value); }

/// ln(predicted / measured) and its parts.
Json error_json(const PredictionError& error) {
  if (!error.known()) return nullptr;
  return {{"total", error.total()},
          {"counts", error.counts},
          {"homogeneous", error.homogeneous},
          {"correlation", error.correlation}};
}

Json task_json(const TaskRecord& task) {
  return {{"lane", task.lane.value},
          {"name", task.name.empty() ? Json(nullptr) : Json(task.name)},
          {"time_ns", whole(task.time)},
          {"predicted_ns", whole(task.predicted)},
          {"error", error_json(task.error)},
          {"accesses", whole(task.accesses.value)},
          {"fast_accesses", whole(task.fast_accesses.value)},
          {"fast_bytes", task.fast_bytes.value},
          {"prefetches", count(task.prefetches)},
          {"useless_prefetches", count(task.useless_prefetches)}};
}

Json task_blocks_json(const TaskRecord& task) {
  Json blocks = Json::array();
  for (const auto& [counter, executions] : task.blocks) blocks.push_back(Json::array({counter, executions}));
  return blocks;
}

Json times_json(const HomogeneousTimes& times) {
  return {{"slow_only_ns", whole(times.slow_only)}, {"fast_only_ns", whole(times.fast_only)}};
}

/// The times that were planned by, then those of both rules of scaling.
Json task_forecast_json(const TaskForecastRecord& task, InputScaling scaling, const RegionIndex& index) {
  const bool cosine = scaling == InputScaling::cosine;
  Json json = times_json(task.planned);
  json["region"] = index.name(task.region);
  json["lane"] = task.lane.value;
  json["f_shift"] = task.shift.slope;
  json["f_seen"] = task.shift.seen;
  json["sizes"] = times_json(cosine ? task.other : task.planned);
  json["cosine"] = times_json(cosine ? task.planned : task.other);
  return json;
}

Json object_json(const ObjectRecord& object) {
  Json lanes = Json::object();
  for (const auto& [lane, accesses] : object.counted_by_lane) lanes[std::to_string(lane)] = whole(accesses.value);
  return {{"name", object.name},
          {"bytes", object.bytes.value},
          {"site", object.site ? Json(hex(object.site->value)) : Json(nullptr)},
          {"kind", object.kind},
          {"alpha", object.alpha},
          {"estimated_accesses", whole(object.estimated.value)},
          {"counted_accesses", object.counted ? whole(object.counted->value) : Json(nullptr)},
          {"counted_by_lane", std::move(lanes)},
          {"planned_fast_bytes", object.planned.value}};
}

Json counter_json(const lbhm_block& block, std::uint32_t number, const std::string& function) {
  const bool independent = (block.flags & LBHM_BLOCK_INPUT_INDEPENDENT) != 0;
  return {{"counter", number},
          {"function", function},
          {"lines", block.first_line ? Json({block.first_line, block.last_line}) : Json(nullptr)},
          {"instructions", block.instructions},
          {"slots", block.slots},
          {"bytes", block.bytes},
          {"depth", block.depth},
          {"per_call", independent ? Json(block.per_call) : Json(nullptr)}};
}

/// By tier and moment; value(moment, row * tiers + tier).
template <class Value>
Json tier_lines(const Timeline& timeline, std::size_t row, Value value) {
  Json tiers = Json::array();
  for (std::size_t tier = 0; tier < timeline.tiers(); ++tier) {
    Json line = Json::array();
    for (const Timeline::Moment& moment : timeline.moments())
      line.push_back(value(moment, row * timeline.tiers() + tier));
    tiers.push_back(std::move(line));
  }
  return tiers;
}

Json row_json(const Timeline& timeline, std::size_t row) {
  const Timeline::Row& of = timeline.rows()[row];
  const auto bytes = [](const Timeline::Moment& moment, std::size_t at) {
    return at < moment.lies.size() ? moment.lies[at].value : 0;
  };
  return {{"name", of.name},
          {"site", hex(of.site.value)},
          {"objects", of.objects},
          {"bytes", of.bytes.value},
          {"tiers_bytes", tier_lines(timeline, row, bytes)}};
}

/// Lanes that took samples.
Json lanes_json(const Timeline& timeline) {
  const auto samples = [](const Timeline::Moment& moment, std::size_t at) {
    return at < moment.served.size() ? moment.served[at] : 0;
  };
  Json lanes = Json::array();
  const std::size_t tiers = timeline.tiers(), values = timeline.moments().back().served.size();
  for (std::size_t lane = 0; lane < values / tiers; ++lane) {
    Json lines = tier_lines(timeline, lane, samples);
    const bool any = std::ranges::any_of(lines, [](const Json& line) { return line.back() > 0; });
    if (any) lanes.push_back({{"lane", lane}, {"tiers_samples", std::move(lines)}});
  }
  return lanes;
}

}  // namespace

Json whole(double value) { return std::isfinite(value) ? Json(std::llround(value)) : Json(nullptr); }

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json region_json(const RegionRecord& region, const RegionIndex& index, bool blocks) {
  Json tasks = Json::array();
  for (const TaskRecord& task : region.tasks) {
    tasks.push_back(task_json(task));
    if (blocks) tasks.back()["blocks"] = task_blocks_json(task);
  }
  return {{"region", index.name(region.region)},
          {"instance", region.instance},
          {"begin_ns", whole(region.begin)},
          {"time_ns", whole(region.time)},
          {"running_error", number(region.running_error)},
          {"tasks", std::move(tasks)}};
}

Json plan_json(const PlanRecord& plan, const RegionIndex& index) {
  Json budget = Json::array();
  for (std::size_t i = 0; i < plan.budget.size(); ++i) {
    const TaskBudget& task = plan.budget[i];
    budget.push_back({{"region", index.name(plan.tasks[i].region)},
                      {"lane", task.lane.value},
                      {"fast_share", task.fast_share},
                      {"fast_bytes", task.fast_bytes.value},
                      {"predicted_ns", whole(task.predicted)}});
  }
  Json objects = Json::array();
  for (const ObjectRecord& object : plan.objects) {
    if (object.bytes.value > 0) objects.push_back(object_json(object));  // the phase knows others, too
  }
  Json tasks = Json::array();
  for (const TaskForecastRecord& task : plan.tasks) tasks.push_back(task_forecast_json(task, plan.scaling, index));
  return {{"scope", plan.phase},
          {"kind", plan.kind},
          {"instance", plan.instance},
          {"begin_ns", whole(plan.begin)},
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

Json prediction_json(const PredictionTotals& totals) {
  if (totals.error.tasks() == 0) return nullptr;
  const PredictionError parts = totals.mean();
  const double median = totals.spread.median(), weighted = totals.spread.time_weighted();
  return {{"tasks", totals.error.tasks()},
          {"mean_error", totals.error.mean()},
          {"accuracy", 1 - totals.error.mean()},
          {"explained_tasks", totals.explained},
          {"median_error", median},
          {"accuracy_median", 1 - median},
          {"time_weighted_error", weighted},
          {"accuracy_time_weighted", 1 - weighted},
          {"counts", number(parts.counts)},
          {"homogeneous", number(parts.homogeneous)},
          {"correlation", number(parts.correlation)}};
}

Json background_json(const BackgroundReport& report) {
  if (report.planned.value == 0) return nullptr;
  return {{"planned_bytes", report.planned.value},       {"moved_bytes", report.moves.moved.value},
          {"evicted_bytes", report.moves.evicted.value}, {"placed_bytes", report.moves.placed.value},
          {"failed_bytes", report.moves.failed.value},   {"forgotten_bytes", report.forgotten.value},
          {"waiting_bytes", report.moves.left.value},    {"first_failure", report.moves.first_failure}};
}

Json tiers_json(std::span<const Tier> tiers) {
  Json json = Json::array();
  for (const Tier& tier : tiers)
    json.push_back({{"name", tier.name},
                    {"capacity_bytes", tier.capacity.value},
                    {"latency_ns", number(tier.latency_random.value)},
                    {"read_bandwidth_gb_per_s", number(tier.read_bandwidth.value)},
                    {"write_bandwidth_gb_per_s", number(tier.write_bandwidth.value)}});
  return json;
}

Json timeline_json(const Timeline* timeline) {
  if (timeline == nullptr) return nullptr;
  const std::unique_lock held = timeline->hold();
  if (timeline->moments().empty()) return nullptr;
  const std::vector<Timeline::Moment>& moments = timeline->moments();
  // By tier and moment.
  const auto uses = [&](auto value) {
    Json tiers = Json::array();
    for (std::size_t tier = 0; tier < moments.front().use.size(); ++tier) {
      Json line = Json::array();
      for (const Timeline::Moment& moment : moments) line.push_back(value(moment.use[tier]));
      tiers.push_back(std::move(line));
    }
    return tiers;
  };
  Json times = Json::array(), moved = Json::array(), objects = Json::array();
  for (const Timeline::Moment& moment : moments) {
    times.push_back(whole(moment.time));
    moved.push_back(moment.moved.value);
  }
  // By name and site: they were met in the order of their addresses, which are others in every run.
  std::vector<std::size_t> order(timeline->rows().size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {},
                    [&](std::size_t row) { return std::tie(timeline->rows()[row].name, timeline->rows()[row].site); });
  for (const std::size_t row : order) objects.push_back(row_json(*timeline, row));
  return {{"times_ns", std::move(times)},
          {"moved_bytes", std::move(moved)},
          {"busy_ns", uses([](const Machine::TierUse& use) { return whole(use.busy); })},
          {"used_bytes", uses([](const Machine::TierUse& use) { return use.used.value; })},
          {"objects", std::move(objects)},
          {"lanes", lanes_json(*timeline)},
          {"complete", !timeline->left_out()}};
}

Json sites_json() {
  Json sites = Json::array();
  for (const KnownSite& site : known_sites()) {
    const char* const kind = site.variable ? "variable" : site.calls.empty() ? "name" : "calls";
    sites.push_back({{"site", hex(site.id.value)}, {"name", site.name}, {"kind", kind}, {"calls", site.calls}});
  }
  return sites;
}

Json worths_json(std::span<const SiteWorth> worths) {
  Json sites = Json::array();
  for (const SiteWorth& of : worths)
    sites.push_back({{"site", hex(of.site.value)},
                     {"pages", number(of.pages)},
                     {"fast_pages", number(of.fast_pages)},
                     {"worth", number(of.worth)}});
  return sites;
}

Json modules_json() {
  Json modules = Json::array();
  for (const BlockModule& module : block_modules()) {
    Json counters = Json::array();
    for (std::uint32_t i = 0; i < module.blocks.size(); ++i)
      counters.push_back(counter_json(module.blocks[i], module.first + i, module.functions[i]));
    modules.push_back({{"id", hex(module.id)}, {"source", module.source}, {"counters", std::move(counters)}});
  }
  return modules;
}

}  // namespace lbhm::record
