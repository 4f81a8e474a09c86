// What one thread works on, and how a matrix is cut into such pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "apps/common/memory.h"
#include "apps/spgemm/csr.h"
#include "apps/spgemm/managed_csr.h"

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

}  // namespace spgemm
