#include "runtime/sampling/data_source.h"

#include <linux/perf_event.h>

namespace lbhm::sampling {
namespace {

// Levels of kernels newer than the headers (include/uapi/linux/perf_event.h of Linux 6.17).
constexpr unsigned level_uncached = 0x08;
constexpr unsigned level_memory_side_cache = 0x06;

/// The newer of the two descriptions: one number for the level.
ServedBy by_number(unsigned level) {
  switch (level) {
    case PERF_MEM_LVLNUM_RAM:
    case PERF_MEM_LVLNUM_PMEM:
    case PERF_MEM_LVLNUM_CXL:
    case level_memory_side_cache:  // in front of one memory, so it counts as that memory
      return ServedBy::memory;
    case PERF_MEM_LVLNUM_L1:
    case PERF_MEM_LVLNUM_L2:
    case PERF_MEM_LVLNUM_L3:
    case PERF_MEM_LVLNUM_L4:
    case PERF_MEM_LVLNUM_ANY_CACHE:
    case PERF_MEM_LVLNUM_LFB:
    case PERF_MEM_LVLNUM_IO:
    case level_uncached:
      return ServedBy::cache;
    default:
      return ServedBy::unknown;
  }
}

/// The older one: a set of bits, and whether it was a hit there.
ServedBy by_bits(unsigned level) {
  constexpr unsigned memory = PERF_MEM_LVL_LOC_RAM | PERF_MEM_LVL_REM_RAM1 | PERF_MEM_LVL_REM_RAM2;
  if (level & PERF_MEM_LVL_NA) return ServedBy::unknown;
  if (level & memory) return ServedBy::memory;
  if (level & PERF_MEM_LVL_HIT) return ServedBy::cache;
  if ((level & PERF_MEM_LVL_MISS) && (level & PERF_MEM_LVL_L3)) return ServedBy::memory;
  return ServedBy::unknown;
}

}  // namespace

ServedBy served_by(std::uint64_t data_source) {
  const perf_mem_data_src source{.val = data_source};
  // A miss says more than the number of the level that was missed.
  const bool missed = (source.mem_lvl & PERF_MEM_LVL_MISS) != 0;
  const ServedBy newer = missed ? ServedBy::unknown : by_number(source.mem_lvl_num);
  return newer != ServedBy::unknown ? newer : by_bits(source.mem_lvl);
}

bool is_store(std::uint64_t data_source) {
  return (perf_mem_data_src{.val = data_source}.mem_op & PERF_MEM_OP_STORE) != 0;
}

}  // namespace lbhm::sampling
