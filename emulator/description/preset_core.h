// The parts of a machine file that belong to a core: its widths, caches, TLB and prefetcher.
#pragma once

#include "emulator/description/preset.h"
#include "emulator/description/preset_node.h"

namespace lbhm::emulator {

/// `root`: the whole file. Raises Malformed.
CoreShape read_core(const Node& root);

}  // namespace lbhm::emulator
