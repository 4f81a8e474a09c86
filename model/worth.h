// Part of the door of model/: what an object is worth in one memory or another.
// Source: Klinkenberg et al.: Phase-based Data Placement Optimization in Heterogeneous Memory, CLUSTER '24 ("H2M").
#pragma once

#include "runtime/base/units.h"

namespace lbhm {

/// What all threads together did to an object.
struct ObjectUse {
  AccessCount loads;     ///< of lines; whether those that caches served are among them is the caller's choice
  AccessCount stores;    ///< likewise
  double hit_ratio = 0;  ///< R: share of them that nobody waits for, 0 to 1
};

/// What H2M wants to know of a memory, measured beforehand (section III-D1).
struct MemoryFigures {
  Nanoseconds latency;
  BytesPerNanosecond read_bandwidth;  ///< with the threads that use it
  BytesPerNanosecond write_bandwidth;
};

/// TAcc of Eq. 1, reads and writes. Our counts are of touched lines: the paper's are of doubles, and it divides those
/// that miss by CL / sizeof(double) to get lines. 0 for a bandwidth of 0.
Nanoseconds access_time(const ObjectUse& use, const MemoryFigures& memory, Bytes line);

/// V of Eq. 2: the time that an object saves in `fast`; one sampled access stands for `period`. Not above 0: it is
/// better off in `slow`, whose latency may be the shorter one.
Nanoseconds improvement(const ObjectUse& use, const MemoryFigures& slow, const MemoryFigures& fast, Bytes line,
                        AccessCount period = AccessCount(1));

}  // namespace lbhm
