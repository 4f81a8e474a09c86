// The run report, schema lbhm.report/1 (docs/files.md).
#pragma once

#include "runtime/base/status.h"
#include "runtime/engine/state.h"

namespace lbhm::engine {

/// Writes the report to the file of the setting `report`, whole or not at all (files.h). Errors: unavailable, naming
/// the file.
Status write_report(Engine& e);

}  // namespace lbhm::engine
