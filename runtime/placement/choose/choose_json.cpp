#include "runtime/placement/choose/choose_json.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "model/worth.h"
#include "runtime/base/json.h"
#include "runtime/placement/choose/choose.h"
#include "runtime/placement/choose/task_uses.h"
#include "runtime/placement/choose/together.h"

namespace lbhm::choose {
namespace {

using Json = nlohmann::json;

constexpr double longest = 1e30, most_count = 1e30;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 50, most_phases = 1u << 24, most_units = 1u << 20;

struct Request {
  std::string method;
  PhasedProblem phased;  // without its units
  Lives lives;
  std::vector<std::uint64_t> together;  // by unit
  std::vector<Task> tasks;
};

/// `whose`: what the keys begin with.
MemoryFigures figures_of(const JsonAt& tier, const std::string& whose = "") {
  return {.latency = Nanoseconds(tier[whose + "latency_ns"].number(0, longest)),
          .read_bandwidth = BytesPerNanosecond(tier[whose + "read_gb_per_s"].number(JsonAt::any_positive, longest)),
          .write_bandwidth = BytesPerNanosecond(tier[whose + "write_gb_per_s"].number(JsonAt::any_positive, longest))};
}

SampleFactors factors_of(const JsonAt& factors) {
  return {.bandwidth = factors["cf_bw"].number(JsonAt::any_positive, longest),
          .latency = factors["cf_lat"].number(JsonAt::any_positive, longest),
          .peak = BytesPerNanosecond(factors["peak_gb_per_s"].number(JsonAt::any_positive, longest))};
}

/// By what a use is worth something.
struct Worth {
  std::vector<MemoryFigures> tiers;
  Bytes line;
  std::optional<SampleFactors> unimem{};  // else H2M's Eq. 1 and 2
};

/// Of a row [phase, loads, stores, R], or of Unimem's [phase, loads, stores, ns]: by tier against the slowest one.
std::vector<Nanoseconds> worth_of(const std::vector<JsonAt>& row, const Worth& by) {
  const AccessCount loads(row[1].number(0, most_count)), stores(row[2].number(0, most_count));
  const double last = row[3].number(0, by.unimem ? longest : 1);
  std::vector<Nanoseconds> worth;
  worth.reserve(by.tiers.size());
  for (const MemoryFigures& tier : by.tiers)
    worth.push_back(by.unimem ? benefit({loads, stores, Nanoseconds(last)}, by.tiers.back(), tier, by.line, *by.unimem)
                              : improvement({loads, stores, last}, by.tiers.back(), tier, by.line));
  return worth;
}

PhasedUnit unit_of(const JsonAt& unit, std::uint32_t phases, const Worth& by) {
  PhasedUnit read{.bytes = Bytes(unit["bytes"].whole(1, most_bytes)),
                  .first = static_cast<std::uint32_t>(unit["first_phase"].whole(0, phases - 1)),
                  .last = static_cast<std::uint32_t>(unit["last_phase"].whole(0, phases - 1))};
  if (read.last < read.first) unit["last_phase"].refuse("is before first_phase");
  if (const auto tier = unit.find("tier"))
    read.begins_in = TierId(static_cast<std::uint8_t>(tier->whole(0, by.tiers.size() - 1)));
  if (const auto stays = unit.find("stays")) read.stays = stays->whole(0, 1) == 1;
  for (const JsonAt& use : unit["uses"].list(0, most_phases)) {
    const std::vector<JsonAt> row = use.list(4, 4);
    const auto phase = static_cast<std::uint32_t>(row[0].whole(read.first, read.last));
    if (!read.worth.emplace(phase, worth_of(row, by)).second) row[0].refuse("has uses already");
  }
  return read;
}

/// Rows [task, loads, stores, R].
std::vector<TaskUse> task_uses_of(const JsonAt& rows, std::size_t tasks) {
  std::vector<TaskUse> uses;
  for (const JsonAt& each : rows.list(0, most_phases)) {
    const std::vector<JsonAt> row = each.list(4, 4);
    if (tasks == 0) each.refuse("is of a task, and there is none");
    uses.push_back({.task = static_cast<std::uint32_t>(row[0].whole(0, tasks - 1)),
                    .use = {.loads = AccessCount(row[1].number(0, most_count)),
                            .stores = AccessCount(row[2].number(0, most_count)),
                            .hit_ratio = row[3].number(0, 1)}});
  }
  return uses;
}

/// Fills `saves` of the units, too.
std::vector<Task> tasks_of(const JsonAt& top, const Worth& by, std::vector<PhasedUnit>& units) {
  TaskUses uses{
      .phases = {}, .phase_of = {}, .units = {}, .elsewhere = {}, .lane = {}, .shared = by.tiers, .line = by.line};
  for (const JsonAt& tier : top["tiers"].list(1, 64)) uses.lane.push_back(figures_of(tier, "lane_"));
  const JsonAt tasks = top["tasks"];
  for (const JsonAt& phase : tasks["phases_ns"].list(1, most_phases))
    uses.phases.emplace_back(phase.number(0, longest));
  for (const JsonAt& phase : tasks["of"].list(0, most_phases))
    uses.phase_of.push_back(static_cast<std::uint32_t>(phase.whole(0, uses.phases.size() - 1)));
  uses.elsewhere = task_uses_of(tasks["elsewhere"], uses.phase_of.size());
  for (const JsonAt& unit : top["units"].list(0, most_units))
    uses.units.push_back(task_uses_of(unit["tasks"], uses.phase_of.size()));
  return add_savings(uses, units);
}

Request request_of(const JsonAt& top) {
  Request request{.method = top["method"].text(), .phased = {}, .lives = {}, .together = {}, .tasks = {}};
  PhasedProblem& problem = request.phased;
  problem.page = Bytes(top["page_bytes"].whole(512, most_bytes));
  problem.phases = static_cast<std::uint32_t>(top["phases"].whole(1, most_phases));
  problem.horizon = static_cast<std::uint32_t>(top["horizon"].whole(1, most_phases));
  Worth by{.tiers = {}, .line = Bytes(top["line_bytes"].whole(1, most_bytes))};
  if (const auto factors = top.find("unimem")) by.unimem = factors_of(*factors);
  for (const JsonAt& tier : top["tiers"].list(1, 64)) {
    problem.capacities.emplace_back(tier["capacity_bytes"].whole(0, most_bytes));
    by.tiers.push_back(figures_of(tier));
  }
  for (const JsonAt& row : top["page_move_ns"].list(by.tiers.size(), by.tiers.size())) {
    problem.page_move.emplace_back();
    for (const JsonAt& cost : row.list(by.tiers.size(), by.tiers.size()))
      problem.page_move.back().emplace_back(cost.number(0, longest));
  }
  for (const JsonAt& unit : top["units"].list(0, most_units)) {
    request.lives.units.push_back(unit_of(unit, problem.phases, by));
    request.lives.born.emplace_back(unit["born_ns"].number(0, longest));
    request.lives.dies.emplace_back(unit["dies_ns"].number(request.lives.born.back().value, longest));
    const auto mark = unit.find("together");
    request.together.push_back(mark ? mark->whole(0, most_bytes) : 0);
  }
  if (request.method == "balanced") request.tasks = tasks_of(top, by, request.lives.units);
  return request;
}

std::vector<Nanoseconds> total_worth(const PhasedUnit& unit, std::size_t tiers) {
  std::vector<Nanoseconds> total(tiers);
  for (const auto& [phase, worth] : unit.worth)
    for (std::size_t tier = 0; tier < tiers; ++tier) total[tier] += worth[tier];
  return total;
}

/// All phases together: nothing moves.
Problem whole_run(const Request& request, const Lives& lives) {
  Problem problem{
      .units = {}, .capacities = request.phased.capacities, .page = request.phased.page, .tasks = request.tasks};
  for (std::size_t i = 0; i < lives.units.size(); ++i) {
    const PhasedUnit& unit = lives.units[i];
    problem.units.push_back({.bytes = unit.bytes,
                             .worth = total_worth(unit, problem.capacities.size()),
                             .born = lives.born[i],
                             .dies = lives.dies[i],
                             .fixed = unit.begins_in,
                             .saves = unit.saves});
  }
  return problem;
}

PhasedChoice chosen(const Request& request, const Lives& lives, const JsonAt& top) {
  if (request.method == "phases") {
    PhasedProblem problem = request.phased;
    problem.units = lives.units;
    return next_phases(problem);
  }
  const Problem problem = whole_run(request, lives);
  const auto still = [](Choice choice) {
    return PhasedChoice{.births = std::move(choice.tiers), .moves = {}, .exact = choice.exact};
  };
  if (request.method == "first-come") return still(first_come(problem));
  if (request.method == "initial") return still(optimum(problem));
  if (request.method == "lifetime") return still(by_lifetimes(problem));
  if (request.method == "balanced") return still(balanced(problem));
  if (request.method == "hotset") return still(hotset(problem));
  if (request.method == "thermos") return still(thermos(problem));
  top["method"].refuse("is none of first-come, initial, lifetime, phases, balanced, hotset, thermos");
}

std::string text_of_answer(const Request& request, const PhasedChoice& choice) {
  Json tiers = Json::array(), moves = Json::array(), worth = Json::array();
  for (const TierId tier : choice.births) tiers.push_back(tier.value);
  for (const UnitMove& move : choice.moves) moves.push_back({move.phase, move.unit, move.from.value, move.to.value});
  for (const PhasedUnit& unit : request.lives.units) {
    Json by_tier = Json::array();
    for (const Nanoseconds time : total_worth(unit, request.phased.capacities.size())) by_tier.push_back(time.value);
    worth.push_back(std::move(by_tier));
  }
  return Json{{"tiers", tiers}, {"moves", moves}, {"worth_ns", worth}, {"exact", choice.exact}}.dump();
}

}  // namespace

Result<std::string> answer(std::string_view request) {
  const JsonFile file{.name = "the problem: ", .remedy = "; it is what lbhm optimize writes"};
  return read_json(request, file, [](const JsonAt& top) {
    const Request read = request_of(top);
    const Together together(read.lives, read.together);
    return text_of_answer(read, together.of_parts(chosen(read, together.joined(), top)));
  });
}

}  // namespace lbhm::choose
