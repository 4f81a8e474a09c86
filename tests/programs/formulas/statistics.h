#pragma once

#include <map>
#include <string>
#include <vector>

#include "nodes.h"

struct Outcome {
  double sum = 0;
  std::size_t good = 0;
  std::map<std::string, std::size_t> failures;  ///< by message
};

/// Evaluates the formula for every row, in parallel. Rows that cannot be evaluated are counted.
Outcome evaluate_all(const Node& formula, const std::vector<Row>& rows);
/// The same on one thread.
Outcome evaluate_serially(const Node& formula, const std::vector<Row>& rows);
