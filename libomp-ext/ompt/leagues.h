// Leagues (teams constructs) on the host. A league of several teams is a region, and the first threads of its teams are
// its lanes: OMPT's initial tasks, whose barriers are the league's. What they fork are regions inside of it.
//
// Two of libomp's parallel constructs are none of the program's, and stay out of sight with their implicit tasks:
//   - a league of one team, which is nothing but the thread that meets it: its parallel regions are outermost ones. For
//     this league alone OMPT's initial task does not name the league.
//   - each team is launched by a fork without a return address, whose workers come only with the program's first
//     parallel region. libomp tells it as a team of as many threads as that region may have.
#pragma once

#include <omp-tools.h>

namespace lbhm::openmp {

// Of the calling thread, in the order of OMPT's calls.

/// A parallel construct begins: true if the engine is to know it.
bool is_region(unsigned requested, int flags, const void* codeptr);
/// The innermost one ends.
bool was_region();
/// An implicit task begins or ends: true if it is a lane of a region.
bool is_lane(ompt_scope_endpoint_t endpoint, unsigned team_size, unsigned index, int flags);

}  // namespace lbhm::openmp
