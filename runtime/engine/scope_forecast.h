// What the next instance of a scope will do, all of its regions together.
#pragma once

#include "runtime/engine/scope.h"
#include "runtime/engine/state.h"
#include "runtime/placement/placement.h"

namespace lbhm::engine {

/// The rule of scaling that the settings ask for.
InputScaling scaling_of(const Settings& settings);

/// Where objects begin, by slot.
std::vector<std::uintptr_t> addresses_of(std::span<const SlotRange> objects);

/// The forecasts of all regions that have been profiled, as one: TaskForecast::region counts them in the order of
/// Scope::parts. `placement` says where the pages are now.
ScopeForecast scope_forecast(Engine& e, const ScopeInstance& run, PagePlacement placement, const Correlation& f);

/// The times that tasks were planned by, beside those of the other rule of scaling, for the report. In the order of the
/// forecast.
std::vector<TaskForecastRecord> forecast_records(Engine& e, const ScopeInstance& run, const ScopeForecast& forecast);

/// What was expected of each object, all tasks together, for the report.
void record_estimates(const ScopeForecast& forecast, ScopeInstance& run);

}  // namespace lbhm::engine
