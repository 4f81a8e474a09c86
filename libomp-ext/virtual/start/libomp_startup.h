// What the rest of this room asks about how libomp was started.
#pragma once

namespace lbhm::openmp {

/// False if libomp was told to find out nothing about the processor (KMP_AFFINITY=disabled). It may not have started
/// before the program's first call of it.
bool knows_places();

}  // namespace lbhm::openmp
