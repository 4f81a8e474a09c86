// The large variables of a program or library, from the symbol table of its file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/status.h"
#include "runtime/base/units.h"

namespace lbhm {

/// A file to read from: fills `out` with what begins at `offset`; false: there is not so much.
using ReadAt = std::function<bool(std::uint64_t offset, std::span<char> out)>;

struct ElfVariable {
  std::uint64_t begin = 0;  ///< as in the file: what the loader adds to all addresses comes on top
  Bytes bytes;
  std::string name;  ///< as linkers have it
};

/// Variables of at least so many bytes in .data, .bss and the like, by address. Those that share bytes are one: the
/// first and longest of them. From the full table of symbols, or, if the file was stripped, from that of the loader.
/// A file of another kind (not ELF, 32 bits) has none. Errors: invalid_argument, what is wrong with it.
Result<std::vector<ElfVariable>> large_variables(const ReadAt& file, Bytes least);

}  // namespace lbhm
