// In lib/host/liblbhm.so alone, whose OpenMP has real time only.
#include "emulator/emulator.h"

bool lbhm::can_emulate() { return false; }
