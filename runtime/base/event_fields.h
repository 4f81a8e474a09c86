// Arithmetic on event counts, field by field, and the fields' names in files.
#pragma once

#include <array>
#include <utility>

#include "runtime/base/values.h"

namespace lbhm {

using EventField = std::pair<const char*, double EventCounts::*>;

inline constexpr std::array<EventField, 18> event_fields{{
    {"instructions", &EventCounts::instructions},
    {"cycles", &EventCounts::cycles},
    {"memory_wait_cycles", &EventCounts::memory_wait_cycles},
    {"l2_load_misses", &EventCounts::l2_load_misses},
    {"l3_load_misses", &EventCounts::l3_load_misses},
    {"llc_misses", &EventCounts::llc_misses},
    {"prefetches", &EventCounts::prefetches},
    {"prefetch_misses", &EventCounts::prefetch_misses},
    {"branches", &EventCounts::branches},
    {"branch_mispredictions", &EventCounts::branch_mispredictions},
    {"vector_instructions", &EventCounts::vector_instructions},
    {"useless_prefetches", &EventCounts::useless_prefetches},
    {"load_occupancy", &EventCounts::load_occupancy},
    {"load_cycles", &EventCounts::load_cycles},
    {"buffers_full_cycles", &EventCounts::buffers_full_cycles},
    {"page_cycles_2", &EventCounts::page_cycles_2},
    {"page_cycles_4", &EventCounts::page_cycles_4},
    {"page_cycles_8", &EventCounts::page_cycles_8},
}};
static_assert(sizeof(EventCounts) == event_fields.size() * sizeof(double), "a field is missing");

/// Of a machine that can count none of them.
inline EventCounts no_counts() {
  EventCounts none;
  for (const auto& [name, field] : event_fields) none.*field = -1;
  return none;
}

/// Of two counts; -1, which says that the machine cannot count it, if it is true of one of them.
inline double known(double one, double other, double result) { return one < 0 || other < 0 ? -1 : result; }

inline EventCounts difference(const EventCounts& end, const EventCounts& begin) {
  EventCounts result;
  for (const auto& [name, field] : event_fields)
    result.*field = known(end.*field, begin.*field, end.*field - begin.*field);
  return result;
}

inline EventCounts& operator+=(EventCounts& sum, const EventCounts& more) {
  for (const auto& [name, field] : event_fields) sum.*field = known(sum.*field, more.*field, sum.*field + more.*field);
  return sum;
}

/// Of one of so many that counted together.
inline EventCounts operator/(const EventCounts& sum, double parts) {
  EventCounts result;
  for (const auto& [name, field] : event_fields) result.*field = sum.*field < 0 ? -1 : sum.*field / parts;
  return result;
}

}  // namespace lbhm
