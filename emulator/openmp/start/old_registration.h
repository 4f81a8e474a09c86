// What libomp leaves behind of processes that were killed.
#pragma once

namespace lbhm::openmp {

/// Before libomp registers itself: removes the registration of an earlier process with the same number. libomp would
/// read it, and look through /proc/self/maps, with memory from the program's heap: blocks of the program would then lie
/// elsewhere, and virtual time would be another one, whenever a process number comes again. A registration that this
/// process made stays.
void remove_old_registration();

}  // namespace lbhm::openmp
