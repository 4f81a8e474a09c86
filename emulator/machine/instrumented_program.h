// Whether the program was built with the plugin, before any of its code has run.
#pragma once

namespace lbhm::emulator {

/// No allocation. Libraries are not looked at: they say so when they begin.
bool program_is_instrumented();

}  // namespace lbhm::emulator
