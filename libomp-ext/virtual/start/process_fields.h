// What the kernel says of this process in /proc/self/stat (proc(5)).
#pragma once

#include <cstdint>
#include <span>

namespace lbhm::openmp {

/// Fields by their numbers, up to the last one that there is room for; the first two, which are no numbers, stay as
/// they were. False: nobody can say. Without the program's heap; negative ones come as two's complements.
bool read_process_fields(std::span<std::uint64_t> fields);

}  // namespace lbhm::openmp
