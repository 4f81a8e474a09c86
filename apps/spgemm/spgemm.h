// What one thread works on, and how a matrix is cut into such pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/placed_memory.h"
#include "apps/spgemm/csr.h"

namespace spgemm {

/// One row of C under construction, with a place for every column.
struct Accumulator {
  Accumulator(const std::string& name, Index columns)
      : values(name + ".values", columns), stamps(name + ".stamps", columns), touched(name + ".touched", columns) {}

  apps::Array<double> values;  ///< valid where the stamp is that of the current row
  apps::Array<Index> stamps;   ///< which row touched the column last
  apps::Array<Index> touched;  ///< the columns of the current row, in the order in which they came up
};

/// A bin of rows of A, the same rows of C, and an accumulator.
struct Task {
  Task(const std::string& number, const CsrView& matrix, const CsrView& b, Index first, Index last);

  Index first_row;  ///< in A and C
  ManagedCsr a;
  std::uint64_t multiplications;  ///< known before any of them is done
  ManagedCsr c;                   ///< room for the upper bound; its row pointers say what is used
  Offset c_nonzeros = 0;          ///< known after T1
  Accumulator accumulator;
};

/// A in `count` bins of equally many consecutive rows, one a task. A bin of a power-law graph can be much heavier than
/// another one: that is the load imbalance that LB-HM is about.
std::vector<Task> make_tasks(const CsrView& a, const CsrView& b, std::size_t count);

/// All objects of a multiplication: always the same number in the same order for the same number of tasks.
std::vector<const apps::Block*> objects_of(const ManagedCsr& b, std::span<const Task> tasks);

// C = A * B for sparse matrices by Gustavson's row-wise algorithm, in tasks that own a bin of rows each.
// Sources: F. Gustavson, "Two fast algorithms for sparse matrices", ACM TOMS 4(3), 1978; Merchandiser, Figure 1b.

/// Fills c of every task in one parallel region with a thread a task. The columns of a row of C are not sorted; values
/// do not depend on the number of tasks, because each row is computed by one thread in the order of A and B.
void multiply(std::span<Task> tasks, const CsrView& b);

// Is C = A * A^T? Answered without a second sparse product, and summed up in one number.

/// Freivalds' check: the largest difference between a row of C*x and of A*(A^T*x) for a random x, relative to the same
/// row of |A|*(|A^T|*|x|). Rounding alone leaves it far below verification_tolerance; a wrong C passes with probability
/// 0 for all practical purposes. Reads the entries of A as they were generated or read, none of what was made of them.
double largest_difference(const Triples& a, std::span<const Task> tasks, std::uint64_t seed);

inline constexpr double verification_tolerance = 1e-10;

/// A hash of all (row, column, value) of C. The same for any order within a row and any number of tasks.
std::uint64_t checksum(std::span<const Task> tasks);

}  // namespace spgemm
