// The measured curves of a tier in a machine file.
#pragma once

#include <optional>

#include "emulator/description/curves.h"
#include "emulator/description/quantity.h"

namespace lbhm::emulator {

/// Of a tier's `curves`; nothing if it has none.
std::optional<Curves> read_curves(const JsonAt& tier);

}  // namespace lbhm::emulator
