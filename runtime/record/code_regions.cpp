#include "runtime/record/code_regions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "lbhm/code_regions.h"
#include "runtime/base/fingerprint.h"
#include "runtime/base/guarded.h"
#include "runtime/base/thread_end.h"
#include "runtime/record/region_book.h"
#include "runtime/record/region_stack.h"
#include "runtime/record/report_json.h"

namespace lbhm {
namespace {

/// Set before the pointer is, constant afterwards.
struct Measuring {
  Machine* machine = nullptr;
  const Lanes* lanes = nullptr;
  std::uint64_t most_measured = 0;
  std::atomic<bool>* used = nullptr;
};
constinit Measuring the_one;
constinit std::atomic<const Measuring*> measuring{nullptr};

/// One a thread. A report may be written after the thread is gone.
struct Stacks {
  std::mutex mutex;
  std::vector<RegionStack*> all;  ///< of threads that run
  TotalsByLane ended;             ///< of all others
};

Stacks& stacks() {
  static auto* const known = new Stacks;
  return *known;
}

constinit thread_local RegionStack* mine = nullptr;

/// The thread ends: what it measured stays.
void end_stack(void* ending) {
  std::unique_ptr<RegionStack> own(static_cast<RegionStack*>(ending));
  mine = nullptr;
  const std::lock_guard lock(stacks().mutex);
  guarded([&] { own->add_to(stacks().ended); });
  std::erase(stacks().all, own.get());
}

RegionStack& stack_of_thread(const Measuring& to) {
  if (mine) return *mine;
  to.machine->want_events();
  auto fresh = std::make_unique<RegionStack>(to.most_measured);
  const std::lock_guard lock(stacks().mutex);
  stacks().all.push_back(fresh.get());
  static const ThreadEnd end(end_stack);
  end.call_with(fresh.get());  // else it stays until the process ends
  return *(mine = fresh.release());
}

RegionPlace place_of(lbhm_code_region* record, const void* frame) {
  const auto at = reinterpret_cast<std::uintptr_t>(frame);
  if (!record) return {.slot = 0, .kind = 0, .frame = at};
  return {.slot = RegionBook::of_process().slot(*record), .kind = record->kind, .frame = at};
}

/// Without memory for our tables the program goes on, and the report knows less.
template <class Note>
void note(const Note& act) {
  const Measuring* const to = measuring.load(std::memory_order_acquire);
  if (to) guarded([&] { act(*to, stack_of_thread(*to)); });
}

bool own_time_unknown(const RegionTotals& totals) { return totals.self_measured == 0 && totals.beyond_limit > 0; }

/// What all threads have measured so far.
TotalsByLane measured_code_regions() {
  const std::lock_guard lock(stacks().mutex);
  TotalsByLane sums = stacks().ended;
  for (RegionStack* stack : stacks().all) stack->add_to(sums);
  return sums;
}

}  // namespace

void measure_code_regions(Machine& machine, const Lanes& lanes, std::uint64_t most_measured, std::atomic<bool>& used) {
  the_one = {&machine, &lanes, most_measured, &used};
  measuring.store(&the_one, std::memory_order_release);
}

std::string remark_of_code_regions() {
  std::set<std::size_t> unknown;
  for (const auto& [lane, totals] : measured_code_regions())
    for (std::size_t slot = 0; slot < totals.size(); ++slot)
      if (own_time_unknown(totals[slot])) unknown.insert(slot);
  if (unknown.empty()) return {};
  return "code regions whose own time (self) is not known, since regions nested in them ran more than " +
         std::to_string(the_one.most_measured) + " times: " + std::to_string(unknown.size()) +
         "; raise LBHM_REGION_EXECUTIONS (lbhm regions --executions)";
}

void stop_code_regions() { measuring.store(nullptr, std::memory_order_release); }

namespace record {
namespace {

constexpr std::array<const char*, 3> kinds{"loop", "parallel", "worksharing"};

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

/// Null where it is not known, of no execution: 0 would be a time.
Json self_json(const RegionTotals& totals) {
  Json self = reading_json(totals.self, totals.self_measured);
  if (totals.self_measured > 0) return self;
  self["time_ns"] = self["work_ns"] = nullptr;
  for (auto& [name, count] : self["events"].items()) count = nullptr;
  self["accesses"] = Json::array();
  return self;
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
          {"self", self_json(totals)}};
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

}  // namespace record
}  // namespace lbhm

#define LBHM_ENTRY __attribute__((visibility("default")))

extern "C" {

LBHM_ENTRY void lbhm_code_regions_v1(lbhm_code_region* first, lbhm_code_region* last) {
  lbhm::guarded([=] { lbhm::RegionBook::of_process().add(first, last); });
}

LBHM_ENTRY void lbhm_code_region_begin_v1(lbhm_code_region* region, const void* frame) {
  using namespace lbhm;
  note([&](const Measuring& to, RegionStack& stack) {
    if (!to.lanes->recording()) return;
    to.used->store(true, std::memory_order_relaxed);
    stack.begin(*to.machine, current_lane, place_of(region, frame));
  });
}

LBHM_ENTRY void lbhm_code_region_end_v1(lbhm_code_region* region, const void* frame) {
  using namespace lbhm;
  note([&](const Measuring& to, RegionStack& stack) { stack.end(*to.machine, current_lane, place_of(region, frame)); });
}

LBHM_ENTRY void lbhm_code_region_unwound_v1(lbhm_code_region* region, const void* frame) {
  using namespace lbhm;
  note([&](const Measuring&, RegionStack& stack) { stack.unwound(place_of(region, frame)); });
}
}
