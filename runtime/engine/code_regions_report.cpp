#include "runtime/engine/code_regions_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "runtime/engine/code_regions.h"
#include "runtime/engine/region_book.h"

namespace lbhm::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<const char*, 3> kinds{"loop", "parallel", "worksharing"};

Json whole(double value) { return std::isfinite(value) ? Json(std::llround(value)) : Json(nullptr); }

std::string hex(std::uint64_t id) {
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(id));
  return text;
}

Json reading_json(const Reading& reading, std::uint64_t executions) {
  Json events = Json::object();
  for (const auto& [name, field] : event_fields) {
    const double count = reading.events.*field;
    events[name] = count < 0 ? Json(nullptr) : whole(count);  // below 0: the machine cannot count it
  }
  Json accesses = Json::array();
  for (const AccessCount count : reading.accesses) accesses.push_back(whole(count.value));
  return {{"executions", executions},
          {"time_ns", whole(reading.time.value)},
          {"work_ns", whole(reading.work.value)},
          {"events", std::move(events)},
          {"accesses", std::move(accesses)}};
}

double deviation(const RegionTotals& totals) {
  if (totals.measured == 0) return 0;
  const auto n = static_cast<double>(totals.measured);
  const double mean = totals.inclusive.time.value / n;
  return std::sqrt(std::max(0.0, totals.squares / n - mean * mean));
}

Json lane_json(std::uint32_t lane, const RegionTotals& totals) {
  return {{"lane", lane},
          {"executions", totals.executions},
          {"abandoned", totals.abandoned},
          {"base_ns", whole(totals.base.value)},
          {"least_ns", whole(totals.least.value)},
          {"most_ns", whole(totals.most.value)},
          {"deviation_ns", whole(deviation(totals))},
          {"inclusive", reading_json(totals.inclusive, totals.measured)},
          {"self", reading_json(totals.self, totals.self_measured)}};
}

Json lanes_json(const TotalsByLane& all, std::uint32_t slot) {
  Json lanes = Json::array();
  for (const auto& [lane, totals] : all) {
    if (totals.size() >= slot && totals[slot - 1].executions > 0) lanes.push_back(lane_json(lane, totals[slot - 1]));
  }
  return lanes;
}

}  // namespace

Json code_regions_json() {
  const TotalsByLane all = measured_code_regions();
  RegionBook& book = RegionBook::of_process();
  Json regions = Json::array();
  for (std::uint32_t slot = 1; slot <= book.size(); ++slot) {
    Json lanes = lanes_json(all, slot);
    if (lanes.empty()) continue;
    const CodeRegion region = book.region(slot);
    regions.push_back({{"id", hex(region.id)},
                       {"file", region.file},
                       {"line", region.line},
                       {"function", region.function},
                       {"kind", region.kind < kinds.size() ? kinds[region.kind] : "loop"},
                       {"lanes", std::move(lanes)}});
  }
  return regions;
}

}  // namespace lbhm::engine
