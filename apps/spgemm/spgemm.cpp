#include "apps/spgemm/spgemm.h"

#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <utility>

namespace spgemm {
namespace {

/// T1: the length of every row of C, left in the place of the row's pointer.
void count_nonzeros(Task& task, const CsrView& b) {
  const CsrView a = task.a.view();
  Index* const stamps = task.accumulator.stamps.data();
  Offset* const lengths = task.c.row_pointers.data();
  std::fill_n(stamps, b.columns, Index{0});
  Offset sum = 0;
  for (Index row = 0; row < a.rows; ++row) {
    const Index stamp = row + 1;
    Offset length = 0;
    for (std::size_t i = a.begin(row); i < a.end(row); ++i) {
      const Index middle = a.column_indices[i];
      for (std::size_t j = b.begin(middle); j < b.end(middle); ++j) {
        const Index column = b.column_indices[j];
        if (stamps[column] != stamp) {
          stamps[column] = stamp;
          ++length;
        }
      }
    }
    lengths[row] = length;
    sum += length;
  }
  task.c_nonzeros = sum;
}

/// Turns the lengths into positions in the whole of C. It needs the counts of all tasks before this one: that is why T2
/// has to wait for all of T1.
void point_to_rows(std::span<Task> tasks, std::size_t number) {
  Offset position = 0;
  for (const Task& before : tasks.first(number)) position += before.c_nonzeros;
  ManagedCsr& c = tasks[number].c;
  Offset* const pointers = c.row_pointers.data();
  for (Index row = 0; row < c.rows; ++row) position += std::exchange(pointers[row], position);
  pointers[c.rows] = position;
}

/// T2: the columns and values of every row of C.
void compute_values(Task& task, const CsrView& b) {
  const CsrView a = task.a.view();
  const CsrView c = task.c.view();
  double* const sums = task.accumulator.values.data();
  Index* const stamps = task.accumulator.stamps.data();
  Index* const touched = task.accumulator.touched.data();
  for (Index row = 0; row < a.rows; ++row) {
    const Index stamp = a.rows + row + 1;  // different from all stamps of T1
    std::size_t length = 0;
    for (std::size_t i = a.begin(row); i < a.end(row); ++i) {
      const Index middle = a.column_indices[i];
      const double factor = a.values[i];
      for (std::size_t j = b.begin(middle); j < b.end(middle); ++j) {
        const Index column = b.column_indices[j];
        const double product = factor * b.values[j];
        if (stamps[column] == stamp) {
          sums[column] += product;
        } else {
          stamps[column] = stamp;
          sums[column] = product;
          touched[length++] = column;
        }
      }
    }
    Index* const columns = task.c.column_indices.data() + c.begin(row);
    double* const values = task.c.values.data() + c.begin(row);
    for (std::size_t i = 0; i < length; ++i) {
      columns[i] = touched[i];
      values[i] = sums[touched[i]];
    }
  }
}

}  // namespace

void multiply(std::span<Task> tasks, const CsrView& b) {
#pragma omp parallel num_threads(static_cast<int>(tasks.size()))
  {
    // A thread has one task, its own, unless the OpenMP runtime grants fewer threads than there are tasks.
    const auto team = static_cast<std::size_t>(omp_get_num_threads());
    const auto thread = static_cast<std::size_t>(omp_get_thread_num());
    for (std::size_t i = thread; i < tasks.size(); i += team) count_nonzeros(tasks[i], b);
#pragma omp barrier
    for (std::size_t i = thread; i < tasks.size(); i += team) {
      point_to_rows(tasks, i);
      compute_values(tasks[i], b);
    }
  }
}

}  // namespace spgemm
