// Where an access was served, as perf says it for all processors (linux/perf_event.h, union perf_mem_data_src).
#pragma once

#include <cstdint>

namespace lbhm::sampling {

enum class ServedBy : std::uint8_t { cache, memory, unknown };

ServedBy served_by(std::uint64_t data_source);
bool is_store(std::uint64_t data_source);

}  // namespace lbhm::sampling
