// Sparse tensors in coordinate form, as they are read or generated: the form that FROSTT files have.
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <span>
#include <string>
#include <vector>

#include "apps/common/placed_memory.h"

namespace tensor {

/// Number along one mode, from 0.
using Index = std::uint32_t;

inline constexpr unsigned max_order = 8;
/// Positions and nodes of hash tables are 32 bits wide; the last value means "none".
inline constexpr std::size_t max_nonzeros = 0xfffffffe;

/// The entries of a tensor while they are collected: `coordinates` holds order() of them for each value.
struct Entries {
  std::vector<Index> shape;
  std::vector<Index> coordinates;
  std::vector<double> values;

  std::size_t order() const { return shape.size(); }
  std::size_t nonzeros() const { return values.size(); }
};

/// The same in memory that LB-HM may place: two objects. It is not changed by a contraction.
struct Coo {
  Coo(const std::string& name, const Entries& entries);

  std::size_t order() const { return shape.size(); }
  std::size_t nonzeros() const { return values.size(); }
  const Index* at(std::size_t entry) const { return coordinates.data() + entry * shape.size(); }

  std::vector<Index> shape;
  apps::Array<Index> coordinates;
  apps::Array<double> values;
};

/// Entries sorted by their coordinates; those that stand at the same place are added up in the order in which they
/// came.
Entries add_up_duplicates(const Entries& entries);
/// The indices of one mode in a random order that depends on `seed` alone.
Entries permute_mode(Entries entries, std::size_t mode, std::uint64_t seed);

// Reader of FROSTT files (.tns). Format: http://frostt.io/tensors/file-formats.html: a line for each non-zero, its
// coordinates, counted from 1, then its value; lines that begin with # are comments. The shape is not in the file.

/// Entries at the same place are added up. `name` stands for the file in error sentences. Throws InputError,
/// "name:line: what is wrong and what was expected".
Entries read_tns(std::istream& stream, const std::string& name);
/// The same from a file. Throws InputError also if the file cannot be opened.
Entries read_tns_file(const std::string& path);

}  // namespace tensor
