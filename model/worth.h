// Part of the door of model/: what an object is worth in one memory or another.
// Sources: Klinkenberg et al.: Phase-based Data Placement Optimization in Heterogeneous Memory, CLUSTER '24 ("H2M");
// Wu, Huang, Li: Unimem: Runtime Data Management on Non-Volatile Memory-based Heterogeneous Main Memory, SC '17
// ("Unimem").
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

/// What all threads together did to an object in a phase: accesses to the memory, and for how long there were some.
struct TimedUse {
  AccessCount loads, stores;
  Nanoseconds during;
};

/// What Unimem measures once of a machine, with the sampling that counts accesses (section 3.1.2).
struct SampleFactors {
  double bandwidth = 1;     ///< CF_bw: what STREAM takes, over what its counted accesses say
  double latency = 1;       ///< CF_lat: the same of a pointer chase of one thread
  BytesPerNanosecond peak;  ///< BW_peak: STREAM's bandwidth by its counted accesses, in the slow memory
};

/// BFT of Unimem's Eq. 2 and 3: the time that an object saves in `fast`. What takes 80 % of the peak by Eq. 1 is
/// bandwidth-sensitive, what takes less than 10 % latency-sensitive; between, the larger benefit counts. Where reading
/// and writing differ, Eq. 2 has loads by the one and stores by the other.
Nanoseconds benefit(const TimedUse& use, const MemoryFigures& slow, const MemoryFigures& fast, Bytes line,
                    const SampleFactors& factors);

}  // namespace lbhm
