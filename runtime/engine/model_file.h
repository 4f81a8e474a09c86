// The file of a trained model.
#pragma once

#include <string>

#include "model/model.h"
#include "runtime/base/status.h"
#include "runtime/machine/machine.h"

namespace lbhm::engine {

/// A trained model for this machine. Errors, sentences without the file's name: not_found, malformed; invalid_argument
/// if it was trained on a machine with another name or other numbers.
Result<TrainedModel> read_model(const std::string& path, const Topology& machine);

}  // namespace lbhm::engine
