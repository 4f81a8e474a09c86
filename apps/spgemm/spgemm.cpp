#include "apps/spgemm/spgemm.h"

#include <omp.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "apps/common/mini_app.h"
#include "apps/common/random_graphs.h"

namespace spgemm {
namespace {

using Vector = std::vector<double>;

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

struct Identity {
  double operator()(double x) const { return x; }
};
struct Absolute {
  double operator()(double x) const { return std::fabs(x); }
};

Vector random_vector(std::size_t size, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Vector x(size);
  for (double& element : x) element = 2 * apps::draw_unit(random) - 1;
  return x;
}

/// A * (A^T * x), with `part` applied to every entry of A and x.
template <class Part>
Vector twice_applied(const Triples& a, const Vector& x, Part part) {
  Vector middle(a.columns, 0.0);
  for (const Triple& entry : a.entries) middle[entry.column] += part(entry.value) * part(x[entry.row]);
  Vector y(a.rows, 0.0);
  for (const Triple& entry : a.entries) y[entry.row] += part(entry.value) * middle[entry.column];
  return y;
}

/// C * x.
Vector applied(std::span<const Task> tasks, const Vector& x) {
  Vector y;
  y.reserve(x.size());
  for (const Task& task : tasks) {
    const CsrView c = task.c.view();
    for (Index row = 0; row < c.rows; ++row) {
      double sum = 0;
      for (std::size_t i = c.begin(row); i < c.end(row); ++i) sum += c.values[i] * x[c.column_indices[i]];
      y.push_back(sum);
    }
  }
  return y;
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

double largest_difference(const Triples& a, std::span<const Task> tasks, std::uint64_t seed) {
  const Vector x = random_vector(a.rows, seed);
  const Vector expected = twice_applied(a, x, Identity{});
  const Vector scale = twice_applied(a, x, Absolute{});
  const Vector found = applied(tasks, x);
  if (found.size() != expected.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t row = 0; row < expected.size(); ++row) {
    const double difference = std::fabs(found[row] - expected[row]);
    if (difference == 0) continue;
    const double relative = difference / scale[row];
    // NaN counts as wrong.
    if (!(relative <= largest)) largest = std::isnan(relative) ? std::numeric_limits<double>::infinity() : relative;
  }
  return largest;
}

std::uint64_t checksum(std::span<const Task> tasks) {
  std::uint64_t sum = 0;
  for (const Task& task : tasks) {
    const CsrView c = task.c.view();
    for (Index row = 0; row < c.rows; ++row) {
      const std::uint64_t row_bits = std::uint64_t{task.first_row + row} << 32;
      for (std::size_t i = c.begin(row); i < c.end(row); ++i) {
        sum += apps::mix(apps::mix(row_bits | c.column_indices[i]) ^ std::bit_cast<std::uint64_t>(c.values[i]));
      }
    }
  }
  return sum;
}

}  // namespace spgemm
