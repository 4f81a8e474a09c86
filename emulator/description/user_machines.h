// Where the user's own machine files are, beside the presets.
#pragma once

#include <filesystem>

namespace lbhm::emulator {

/// $XDG_DATA_HOME/lbhm/machines, or ~/.local/share/lbhm/machines; empty if neither variable is set. The lbhm command
/// writes there and looks there, too (tools/lbhm/machine.py).
std::filesystem::path user_machines();

}  // namespace lbhm::emulator
