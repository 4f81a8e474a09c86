// Exact counts of pages of the program and its libraries: variables, which no object of LB-HM's holds.
#pragma once

#include <cstdint>
#include <utility>

#include "emulator/base/private_memory.h"
#include "emulator/memory/preferences.h"
#include "runtime/base/files.h"

namespace lbhm::emulator {

/// Of all tasks; by lane, because whose variables they are shows who shares them.
class VariableCounts {
 public:
  void add(std::uint32_t lane, PageNumber page, std::uint64_t accesses) { accesses_[{lane, page}] += accesses; }
  /// A line a file and lane: [page of the file, accesses] each, the same wherever the system loads the file. Pages that
  /// no file holds (stacks, blocks of malloc) are left out.
  void write(OutputFile& file) const;

 private:
  PrivateMap<std::pair<std::uint32_t, PageNumber>, std::uint64_t> accesses_;
};

}  // namespace lbhm::emulator
