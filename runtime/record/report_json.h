// Parts of the run report as JSON, schema lbhm.report/1 (docs/files.md).
#pragma once

#include <nlohmann/json.hpp>

#include "runtime/record/recorder.h"

namespace lbhm::record {

using Json = nlohmann::ordered_json;

/// Whole nanoseconds; null for "there is none".
Json whole(double value);
inline Json whole(Nanoseconds value) { return whole(value.value); }
/// Null for what is not known.
Json number(double value);

Json region_json(const RegionRecord& region, const RegionIndex& index, bool blocks);
Json plan_json(const PlanRecord& plan, const RegionIndex& index);
/// All predictions of the run in one; null if there were none.
Json prediction_json(const PredictionTotals& totals);
/// Null: nothing was to move beside the program.
Json background_json(const BackgroundReport& report);
/// Where the program got objects from, in words.
Json sites_json();
/// The tiers' names and figures.
Json tiers_json(std::span<const Tier> tiers);
/// Null: nobody looked.
Json timeline_json(const Timeline* timeline);
/// What pages were worth, by site.
Json worths_json(std::span<const SiteWorth> worths);
/// All counters of basic blocks of the program, by module.
Json modules_json();
/// A record a code region that was executed, with one record a lane. An empty array in programs without marks.
Json code_regions_json();

}  // namespace lbhm::record
