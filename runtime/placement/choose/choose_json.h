// What lbhm-choose reads and answers: a problem as `lbhm optimize` has it, JSON in and out.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/status.h"

namespace lbhm::choose {

/// {"method": "first-come" | "initial" | "lifetime" | "phases" | "balanced" | "hotset" | "thermos", "horizon",
/// "page_bytes", "line_bytes", "phases",
///  "tiers": [{"capacity_bytes", "latency_ns", "read_gb_per_s", "write_gb_per_s"}], the fastest first,
///  "page_move_ns": [from][to],
///  "units": [{"bytes", "born_ns", "dies_ns", "first_phase", "last_phase", "uses": [[phase, loads, stores, hit
///  ratio]]}]}
/// and with "unimem": {"cf_bw", "cf_lat", "peak_gb_per_s"} in place of the hit ratio for how many ns there were
/// accesses; and for "balanced" {"tasks": {"phases_ns", "of": [phase of each task], "elsewhere": rows [task, loads,
/// stores, hit ratio]}}, such rows of each unit ("tasks"), and of each tier what one lane alone has ("lane_latency_ns",
/// "lane_read_gb_per_s", "lane_write_gb_per_s"); phases have numbers of their own here.
/// -> {"tiers": [of each unit, where it is born], "moves": [[phase, unit, from, to]],
///     "worth_ns": [of each unit [by tier, against the slowest one]], "exact"}
/// Errors: malformed, no_memory.
Result<std::string> answer(std::string_view request);

}  // namespace lbhm::choose
