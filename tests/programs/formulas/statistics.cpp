#include "statistics.h"

#include <cmath>

namespace {

/// Whole thousandths, so that sums do not depend on their order.
double thousandths(double value) { return std::isfinite(value) ? std::floor(std::fmod(value, 1e6) * 1000) : 0; }

void add_row(const Node& formula, const Row& row, Outcome& outcome) {
  try {
    outcome.sum += thousandths(formula.evaluate(row));
    ++outcome.good;
  } catch (const EvaluationError& error) { ++outcome.failures[error.what()]; }
}

void merge(Outcome& into, const Outcome& from) {
  into.sum += from.sum;
  into.good += from.good;
  for (const auto& [what, count] : from.failures) into.failures[what] += count;
}

}  // namespace

Outcome evaluate_all(const Node& formula, const std::vector<Row>& rows) {
  Outcome total;
#pragma omp parallel
  {
    Outcome mine;
#pragma omp for schedule(dynamic, 64)
    for (std::size_t i = 0; i < rows.size(); ++i) add_row(formula, rows[i], mine);
#pragma omp critical
    merge(total, mine);
  }
  return total;
}

Outcome evaluate_serially(const Node& formula, const std::vector<Row>& rows) {
  Outcome total;
  for (const Row& row : rows) add_row(formula, row, total);
  return total;
}
