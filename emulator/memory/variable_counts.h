// Exact counts of pages of the program and its libraries: variables, which no object of LB-HM's holds.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

#include "emulator/base/private_memory.h"
#include "emulator/memory/preferences.h"
#include "runtime/base/files.h"

namespace lbhm::emulator {

/// Of all tasks; by lane, because whose variables they are shows who shares them, and by region, which uses them.
class VariableCounts {
 public:
  struct User {
    std::uint32_t region = 0;  ///< number of the parallel construct
    std::uint32_t lane = 0;
    auto operator<=>(const User&) const = default;
  };

  void add(User user, PageNumber page, std::uint64_t accesses) { accesses_[{user, page}] += accesses; }
  /// A line a file, region and lane: [page of the file, accesses] each, the same wherever the system loads the file.
  /// Pages that no file holds (stacks, blocks of malloc) are left out.
  void write(OutputFile& file) const;

 private:
  PrivateMap<std::pair<User, PageNumber>, std::uint64_t> accesses_;
};

}  // namespace lbhm::emulator
