// Which implicit barrier is the one at the end of a region. libomp says so from version 17 on; older ones call it and
// that of a worksharing construct the same (ompt_sync_region_barrier_implicit).
#pragma once

namespace lbhm::openmp {

/// The calling thread forks: `call` is the return address that OMPT gives.
void forks_from(const void* call);
void joined();
/// Of a barrier of the old kind, by OMPT's return address: at the end of a region the thread that forked has the fork's
/// there, all others have none.
bool is_join(const void* call);

}  // namespace lbhm::openmp
