// The code regions that the process has: the records of lbhm/code_regions.h, read once.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "lbhm/code_regions.h"

namespace lbhm {

struct CodeRegion {
  std::uint64_t id = 0;
  std::string file, function;
  std::uint32_t line = 0;
  std::uint16_t kind = LBHM_REGION_LOOP;
};

class RegionBook {
 public:
  /// Never destroyed: markers come until the very end. May throw std::bad_alloc, as everything here.
  static RegionBook& of_process();

  /// All records of one linked file.
  void add(lbhm_code_region* first, lbhm_code_region* last);
  /// The region's number, counted from 1. A record whose file's constructor has not run yet is added alone.
  std::uint32_t slot(lbhm_code_region& record);
  /// Of a number that slot() gave.
  CodeRegion region(std::uint32_t slot);
  std::uint32_t size();

 private:
  void add_one(lbhm_code_region& record, std::uint64_t id);

  std::mutex mutex_;
  std::deque<CodeRegion> regions_;
  std::unordered_map<std::uint64_t, std::uint32_t> slots_;  // by id
};

}  // namespace lbhm
