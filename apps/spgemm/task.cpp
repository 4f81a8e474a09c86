#include "apps/spgemm/task.h"

#include <algorithm>

namespace spgemm {
namespace {

std::uint64_t multiplications_of(const CsrView& a, const CsrView& b, Index row) {
  std::uint64_t count = 0;
  for (std::size_t i = a.begin(row); i < a.end(row); ++i) count += b.length(a.column_indices[i]);
  return count;
}

std::uint64_t multiplications_of(const CsrView& a, const CsrView& b) {
  std::uint64_t count = 0;
  for (Index row = 0; row < a.rows; ++row) count += multiplications_of(a, b, row);
  return count;
}

/// A row of C has at most as many non-zeros as multiplications, and at most as many as columns.
std::size_t bound_nonzeros(const CsrView& a, const CsrView& b) {
  std::size_t bound = 0;
  for (Index row = 0; row < a.rows; ++row) {
    bound += std::min<std::uint64_t>(multiplications_of(a, b, row), b.columns);
  }
  return bound;
}

}  // namespace

Task::Task(const std::string& number, const CsrView& matrix, const CsrView& b, Index first, Index last)
    : first_row(first),
      a(copy_rows("A" + number, matrix, first, last)),
      multiplications(multiplications_of(a.view(), b)),
      c("C" + number, a.rows, b.columns, bound_nonzeros(a.view(), b)),
      accumulator("accumulator" + number, b.columns) {}

std::vector<Task> make_tasks(const CsrView& a, const CsrView& b, std::size_t count) {
  std::vector<Task> tasks;
  tasks.reserve(count);
  const auto boundary = [&](std::size_t number) { return static_cast<Index>(a.rows * number / count); };
  for (std::size_t i = 0; i < count; ++i) {
    tasks.emplace_back("[" + std::to_string(i) + "]", a, b, boundary(i), boundary(i + 1));
  }
  return tasks;
}

std::vector<const apps::Block*> objects_of(const ManagedCsr& b, std::span<const Task> tasks) {
  std::vector<const apps::Block*> objects{&b.row_pointers, &b.column_indices, &b.values};
  for (const Task& task : tasks) {
    for (const ManagedCsr* part : {&task.a, &task.c}) {
      objects.insert(objects.end(), {&part->row_pointers, &part->column_indices, &part->values});
    }
    const Accumulator& row = task.accumulator;
    objects.insert(objects.end(), {&row.values, &row.stamps, &row.touched});
  }
  return objects;
}

}  // namespace spgemm
