// The parts of a machine file that belong to a core: its widths, caches, TLB and prefetcher.
#pragma once

#include "emulator/description/preset.h"
#include "emulator/description/quantity.h"

namespace lbhm::emulator {

/// `root`: the whole file.
CoreShape read_core(const JsonAt& root);

}  // namespace lbhm::emulator
