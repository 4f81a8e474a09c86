// Executions of basic blocks in the run report.
#pragma once

#include <nlohmann/json.hpp>

#include "runtime/engine/state.h"

namespace lbhm::engine {

/// [[counter, executions], ...] of one task.
nlohmann::ordered_json task_blocks_json(const TaskRecord& task);
/// All counters of the program, by module.
nlohmann::ordered_json modules_json();

}  // namespace lbhm::engine
